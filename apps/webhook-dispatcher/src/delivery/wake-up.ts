/** An interruptible wait. A call to `wake` without a waiter ends the next wait immediately. */
export interface WakeUp {
  readonly wake: () => void;
  readonly wait: (ms: number) => Promise<void>;
}

export function createWakeUp(): WakeUp {
  let isWoken = false;
  let endWait: (() => void) | undefined;
  return {
    wake: () => {
      isWoken = true;
      endWait?.();
    },
    wait: async (ms) => {
      if (!isWoken) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          endWait = resolve;
          timer = setTimeout(resolve, ms);
        });
        clearTimeout(timer);
        endWait = undefined;
      }
      isWoken = false;
    },
  };
}
