import { BusinessError } from '@pay/contracts';

export interface StreamLimitValues {
  readonly RATE_LIMIT_STREAMS_PER_ADDRESS: number;
  readonly RATE_LIMIT_STREAMS_PER_INTENT: number;
  readonly RATE_LIMIT_STREAMS_PER_REPLICA: number;
}

export interface StreamLimits {
  /** Returns the function that releases the place. Throws RATE_LIMITED if there is none; the client then polls. */
  take(address: string, intentId: string): () => void;
  readonly taken: number;
}

const RETRY_AFTER_SECONDS = 30;

/** Limits per replica: in total, per client address and per intent. */
export function createStreamLimits(limits: StreamLimitValues): StreamLimits {
  const byAddress = new Map<string, number>();
  const byIntent = new Map<string, number>();
  let taken = 0;

  return {
    get taken() {
      return taken;
    },
    take(address, intentId) {
      const isFull =
        taken >= limits.RATE_LIMIT_STREAMS_PER_REPLICA ||
        (byAddress.get(address) ?? 0) >= limits.RATE_LIMIT_STREAMS_PER_ADDRESS ||
        (byIntent.get(intentId) ?? 0) >= limits.RATE_LIMIT_STREAMS_PER_INTENT;
      if (isFull) throw new BusinessError('RATE_LIMITED', undefined, RETRY_AFTER_SECONDS);
      const add = (change: 1 | -1) => {
        taken += change;
        count(byAddress, address, change);
        count(byIntent, intentId, change);
      };
      add(1);
      let held = true;
      return () => {
        if (held) add(-1);
        held = false;
      };
    },
  };
}

/** Subjects without a stream are removed, so that the map stays bounded. */
function count(counts: Map<string, number>, subject: string, change: 1 | -1): void {
  const now = (counts.get(subject) ?? 0) + change;
  if (now === 0) counts.delete(subject);
  else counts.set(subject, now);
}
