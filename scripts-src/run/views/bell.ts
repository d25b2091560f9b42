/** Something to sleep on: whoever waits is woken by the next ring, or by the last one if it came meanwhile. */
export interface Bell {
  ring(): void;
  /** Resolves at a ring, at once if there was one since the last call; else after `ms`. */
  heard(ms: number): Promise<void>;
}

/** Makes a bell. Its timer ends with each call, so it keeps no process alive that has stopped listening. */
export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async heard(ms) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      isRung = false;
    },
  };
}
