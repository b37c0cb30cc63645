// How papers.html looks, and what it says before its contents.
#pragma once

namespace carom::papers {

inline constexpr const char* page_head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>carom: the papers</title>
<style>
:root { color-scheme: light dark; --ink: #1d2733; --faint: #66727f; --line: #d8dee4; --page: #ffffff; --card: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dde4ea; --faint: #93a0ad; --line: #36404a; --page: #14191f; --card: #1c232b; }
}
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; margin: 0.5rem 0; }
h2 { font-size: 1.15rem; margin: 3rem 0 0.5rem; padding-bottom: 0.3rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 0 0 0.6rem; }
h3 small { font-size: 0.95rem; font-weight: 400; color: var(--faint); margin: 0 0.5rem; }
section { margin: 1.2rem 0; padding: 1rem 1.2rem; background: var(--card); border-radius: 8px; }
p { margin: 0.5rem 0; }
a { color: #2f7fc1; }
figure { margin: 0.8rem 0; }
figure img { width: 100%; height: auto; border-radius: 6px; display: block; }
figcaption, .fine { font-size: 0.82rem; color: var(--faint); }
table { border-collapse: collapse; font-size: 0.92rem; }
caption { text-align: left; padding: 0.3rem 0; }
th, td { text-align: left; padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.contents { width: 100%; }
.contents th { padding-top: 1rem; }
.contents td:first-child { white-space: nowrap; width: 9.5rem; }
.contents td:last-child { width: 8rem; white-space: nowrap; }
.absent { color: var(--faint); }
.wide { overflow-x: auto; margin: 0.8rem 0; }
pre { overflow-x: auto; font-size: 0.82rem; line-height: 1.4; margin: 0.4rem 0; }
summary { cursor: pointer; color: var(--faint); }
.chip { display: inline-block; padding: 0 0.55rem; border-radius: 1rem; font-size: 0.8rem; font-weight: 600;
  line-height: 1.5rem; vertical-align: middle; white-space: nowrap; }
.good { background: #d3eedd; color: #11572d; }
.part { background: #fdeec2; color: #6a4a00; }
.bad, .none { background: #f9d6d2; color: #7f1d16; }
code { overflow-wrap: anywhere; }
@media (max-width: 600px) {
  main { padding: 0.8rem; }
  section { padding: 0.8rem; }
  .contents tr, .contents td, .contents td:first-child, .contents td:last-child { display: block; width: auto; white-space: normal; }
  .contents th, .contents td { border: 0; padding: 0; }
  .contents tr { padding: 0.4rem 0; border-bottom: 1px solid var(--line); }
}
@media print { section { break-inside: avoid; } }
</style></head><body><main>
<h1>The papers, run again</h1>
<p>Every figure and table of five papers on the simulation of impacts and contact, computed by carom, beside the paper's
claim and a verdict that follows from the numbers given with it. What the papers leave open, and what carom's own methods
do in the same place, is said with each.</p>
)";

}  // namespace carom::papers
