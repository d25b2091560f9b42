/** What `prun reconcile --help` prints. */
export const RECONCILE_HELP = `usage: prun reconcile --run ID [flags]

Says whether a run is one whole set of results, before anything of it is integrated. Every unit that was started, the
session's own ones too, must have succeeded, with an outcome that can be read; its result must be the very file that the
outcome names, no FALLBACK, with all fields of the return contract (a command's printed result: not empty); its delta must
be collected and whole, its parents' results must be those that it started from, and nothing may have changed in the
user's repository while it ran. Changes nothing but what you decide, which is kept with the run.

A line for each unit that is in doubt: what is wrong, and the command that puts it right. At most 40 lines in all.

  --run ID           the run
  --accept UNIT      you have read what is in doubt about it, and it counts as it is, a FALLBACK too (repeat it).
                     Not for a unit that is running, blocked, or has no result; what comes up later is in doubt again
  --without UNIT     it is no part of the set any more: you do it yourself or drop it. conflicts and apply leave its
                     delta out, and retry passes over it (repeat it)
  --reopen UNIT      takes either back (repeat it). A new attempt of the unit does that, too
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             all units and doubts as JSON

exit: 0 every unit that was started is well; 2 wrong arguments; 34 the supervisor was lost and could not be replaced;
36 something is in doubt, is still running, or nothing was started
`;
