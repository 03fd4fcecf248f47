// The style sheet of a page: one column, tables that scroll in boxes of their own, colours as variables that a dark
// scheme replaces, and never by colour alone. Printed pages keep the light scheme.
#include "reports/html/style.hpp"

namespace normcheck {

const std::string_view page_style = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2128; --soft: #57606a; --line: #d5dbe1; --panel: #f5f7f9;
  --link: #0757ba; --pass: #176b2e; --fail: #b3201b; --look: #7d5200;
  --f64: #7a3fb8; --f32: #0b5fc2; --f16: #b04a00; --bf16: #14795b;
  --heat0: #cfe6d4; --heat1: #f6e7a1; --heat2: #f5c25b; --heat3: #ea8445; --heat4: #c8372f; --heat5: #72103a; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #dfe4ea; --soft: #9aa4b0; --line: #363d47;
  --panel: #1d2229; --link: #79b4ff; --pass: #6fcf87; --fail: #ff8278; --look: #e5b454;
  --f64: #c39bf0; --f32: #6cb0ff; --f16: #ffa45e; --bf16: #58cda4;
  --heat0: #23523a; --heat1: #716522; --heat2: #9c7420; --heat3: #c25f23; --heat4: #e0483f; --heat5: #ffa7c4; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 70rem; padding: 1.25rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover, a:focus { text-decoration: underline; }
h1 { font-size: 1.45rem; line-height: 1.3; margin: .2rem 0 .5rem; padding-left: .7rem; border-left: 5px solid var(--soft);
  overflow-wrap: anywhere; text-wrap: pretty; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
section.kernel { border-top: 1px solid var(--line); margin-top: 2rem; }
section.kernel > h2 { margin-top: 1rem; }
p { margin: .4rem 0; }
small, .soft, figcaption { color: var(--soft); }
small { font-size: .87em; }
.pass { color: var(--pass); } .fail, .worse { color: var(--fail); }
.suspect, .outside, .doubtful, .unsupported { color: var(--look); }
h1.pass { border-color: var(--pass); } h1.fail { border-color: var(--fail); }
h1.suspect, h1.outside, h1.doubtful, h1.unsupported { border-color: var(--look); }
h1.pass, h1.fail, h1.suspect, h1.outside, h1.doubtful, h1.unsupported { color: inherit; }
.word { font-weight: 600; }
code, pre { font: .86em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { overflow-wrap: anywhere; }
pre { margin: .4rem 0; padding: .5rem .65rem; background: var(--panel); border: 1px solid var(--line); border-radius: 4px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre.copy { user-select: all; -webkit-user-select: all; cursor: copy; }
.scroll { overflow-x: auto; margin: .5rem 0; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .93em; }
th, td { text-align: left; vertical-align: top; padding: .22rem .8rem .22rem 0; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; color: var(--soft); vertical-align: bottom; line-height: 1.25; }
tbody th { font-weight: 400; white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.n { white-space: normal; }
td .line { display: inline-block; min-width: 20rem; font-size: .9em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: .4rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
details { margin: .4rem 0; }
summary { cursor: pointer; color: var(--link); width: fit-content; }
.finding { border-left: 3px solid var(--line); padding-left: .8rem; margin: .8rem 0; break-inside: avoid; }
.finding.fail { border-color: var(--fail); color: inherit; } .finding.suspect { border-color: var(--look); color: inherit; }
.finding.worse { border-color: var(--fail); color: inherit; } .finding.better { border-color: var(--pass); }
.note { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .5rem .8rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 1.4rem 2rem;
  margin: 1rem 0; align-items: start; }
figure { margin: 0; min-width: 0; break-inside: avoid; }
figcaption { font-size: .93em; line-height: 1.35; margin-bottom: .3rem; color: var(--ink); }
figure details { font-size: .93em; }
figure svg { display: block; width: 100%; max-width: 560px; height: auto; fill: none; stroke: var(--ink); font: 13px system-ui, sans-serif; }
svg text { stroke: none; } svg polygon { stroke: none; } svg .mark { stroke-width: .3; }
.key { display: flex; flex-wrap: wrap; gap: .1rem .9rem; list-style: none; margin: .2rem 0; padding: 0; font-size: .86em; color: var(--soft); }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; border: 1px solid var(--line); }
.s-text { stroke: var(--ink); } .f-text { fill: var(--ink); }
.s-f64 { stroke: var(--f64); } .f-f64 { fill: var(--f64); } .s-f32 { stroke: var(--f32); } .f-f32 { fill: var(--f32); }
.s-f16 { stroke: var(--f16); } .f-f16 { fill: var(--f16); } .s-bf16 { stroke: var(--bf16); } .f-bf16 { fill: var(--bf16); }
.f-heat0 { fill: var(--heat0); background: var(--heat0); } .f-heat1 { fill: var(--heat1); background: var(--heat1); }
.f-heat2 { fill: var(--heat2); background: var(--heat2); } .f-heat3 { fill: var(--heat3); background: var(--heat3); }
.f-heat4 { fill: var(--heat4); background: var(--heat4); } .f-heat5 { fill: var(--heat5); background: var(--heat5); }
footer { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: .6rem; font-size: .93em; }
@media print { body { max-width: none; font-size: 10pt; padding: 0; } .scroll { overflow: visible; } a { color: inherit; }
  summary { color: inherit; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } h2, h3 { break-after: avoid; } }
)";

}  // namespace normcheck
