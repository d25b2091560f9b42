/** Stops this thread for some ms: for waits so short that giving up the turn would cost more than it saves. */
export function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
