/** An interruptible wait. A call to `ring` without a waiter ends the next wait immediately. */
export interface Alarm {
  readonly ring: () => void;
  readonly wait: (ms: number) => Promise<void>;
}

export function createAlarm(): Alarm {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    wait: async (ms) => {
      if (!isRung) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, ms);
        });
        clearTimeout(timer);
        wake = undefined;
      }
      isRung = false;
    },
  };
}
