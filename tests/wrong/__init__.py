"""Libraries that are wrong on purpose, and campaigns that show whether the suite notices.

A wrong library is a right one with a mistake, and there are five ways to make it:

- `edits`: text of a C or Python source is replaced;
- `compiling`: a C file of its own is compiled, or one around a real library;
- `functions`: Python functions take the place of some of the reference's;
- `clauses`: the reference enforces a changed clause;
- a wrapper around an adapter answers some calls itself (`tests/campaign/mutants/broken.py`).

The suite judges it in this process (`inside`) or by its command (`command`), first without the
mistake and then with it. `blame` reads who is blamed with it alone; `fates` keeps and prints it.
Each kind of campaign has its own mistakes, and draws them by a seed in its own way.
"""
