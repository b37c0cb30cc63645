// One figure, table or claim of a paper: what it says, how it is measured here, and what came out.
//
//   Item -> reproduce(lab) -> Finding -> files and an entry of papers.html (write.hpp, page.hpp)
//
// Each item has a file of its own, papers/PAPER/ITEM.cpp, and its line in papers/PAPER/paper.cpp.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab.hpp"
#include "report/svg_plot.hpp"

namespace carom::papers {

enum class Verdict { holds, holds_in_part, does_not_hold };

// From the parts of a claim, each decided by a number: all of them hold, some, or none.
Verdict judge(std::initializer_list<bool> parts);
std::string_view text_of(Verdict verdict);  // "holds in part"

struct Picture {
  std::string suffix;  // "" for the paper's figure, "ours" for the same with carom's own methods
  Figure figure;
};

struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

struct Finding {
  Verdict verdict = Verdict::does_not_hold;
  std::string measured = {};  // the numbers that decide, in a sentence or two
  std::string ours = {};      // what carom's own methods do in the same place, with numbers
  std::vector<std::pair<std::string, double>> numbers = {};  // the same for programs
  std::vector<Picture> pictures = {};
  std::vector<Table> tables = {};
};

struct Item {
  std::string_view name;        // "000-fig-4", as in carom reproduce 000-fig-4
  std::string_view place;       // "Fig. 4", "Table I", "section V-B"
  std::string_view title;       // what it shows, in a few words
  std::string_view claim;       // the paper's, in one sentence of ours
  std::string_view parameters;  // all of them; "our choice" stands where the paper leaves one out
  std::string_view methods;     // the paper's, and ours beside them
  Finding (*reproduce)(const Lab& lab);
  bool timed = false;  // measures time: runs alone, after the others
};

struct Paper {
  std::string_view number;  // "000"
  std::string_view title;   // authors, title, year
  std::vector<Item> items;  // in the paper's order
};

Paper paper_000();
Paper paper_001();
Paper paper_002();
Paper paper_003();
Paper paper_004();
std::vector<Paper> all_papers();

}  // namespace carom::papers
