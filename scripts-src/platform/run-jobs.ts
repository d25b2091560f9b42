/** Runs jobs, `lanes` at a time, until none is left; jobs may add jobs. After a fault those that run end first. */
export function runJobs(jobs: (() => Promise<void>)[], lanes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let active = 0;
    let fault: { error: unknown } | undefined;
    const next = () => {
      while (!fault && active < lanes) {
        const job = jobs.pop();
        if (!job) break;
        active++;
        job()
          .catch((error: unknown) => {
            fault ??= { error };
          })
          .finally(() => {
            active--;
            next();
          });
      }
      if (active > 0) return;
      if (fault) reject(fault.error);
      else resolve();
    };
    next();
  });
}
