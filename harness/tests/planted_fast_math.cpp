// A library that does nothing but be built with -ffast-math: its start-up code sets flush-to-zero when it is loaded.
extern "C" int planted_answer() {
    return 42;
}
