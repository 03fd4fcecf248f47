/* A library that is no plug-in. */
int normcheck_plugin_is_missing = 1;
