"""Libraries that are wrong on purpose, and campaigns that show whether the suite notices.

A wrong library is a right one with a mistake. There are six ways to make it:

- `edits`: text of a source is replaced;
- `functions`: Python functions take the place of some of the reference's;
- `clauses`: the reference enforces a changed clause;
- `tests.fakes.build`: a small C file has the mistake, and macros turn it on;
- `tests.campaign.planted_defects.wrapping`: a C file has it, and forwards other calls;
- `tests.campaign.mutants.broken_adapter`: an adapter has it, and forwards other calls.

Mistakes are listed or drawn by a seed (`drawing`). The suite judges the library in this process
(`inside`) or by its command (`command`), without the mistake and with it (`campaign`). `blame`
compares the two, and `fates` prints and keeps the fate of the mistake.
"""
