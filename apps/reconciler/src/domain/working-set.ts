import type { Checks, MatchPath, MatchStatus, Poisha, Tenant } from '@pay/contracts';
import type { Claim, EarlySignals, Evidence, Intent } from './facts';
import { keyOf } from './keys';
import type { Candidate } from './decide-evidence';
import type { MatchDoubt } from './reasons';

/** The record of what was decided about one SMS. */
export interface Match {
  readonly id: string;
  readonly tenant: Tenant;
  readonly smsEventId: string;
  readonly intentId: string | undefined;
  readonly path: MatchPath | undefined;
  readonly status: MatchStatus;
  readonly reason: string;
  readonly checks: Checks | undefined;
  readonly paidInTime: boolean | undefined;
  readonly expectedAmount: Poisha | undefined;
  readonly receivedAmount: Poisha | undefined;
  readonly candidates: readonly Candidate[];
  /** What the merchant's rules held against the evidence when this was decided. */
  readonly doubts: readonly MatchDoubt[];
  /** How many decisions its SMS has been told of. */
  readonly smsSequence: number;
  /** sms-ingest's sequence of the reading that was decided. */
  readonly factsSequence: number;
  readonly factsEpoch?: number | undefined;
  /** As its evidence counts it. */
  readonly revision: number;
  readonly createdAt: Date;
  /** When it had waited for an intent long enough; stays set when a person's item comes of it. */
  readonly windowEndedAt: Date | undefined;
  readonly resolvedAt: Date | undefined;
  /** `system`, or `user:<id>` when a person was the last to decide. */
  readonly decidedBy: string;
  /** Why, in that person's words. */
  readonly resolutionNote: string | undefined;
}

/** Rows of one kind: as they were read, and as they are after the decisions made since. */
export interface TrackedRows<Row> {
  get(id: string): Row | undefined;
  find(key: string): Row[];
  all(): Row[];
  /** A row as the database has it. Kept as it is when it has been loaded before. */
  load(row: Row): void;
  put(row: Row): void;
  /** Takes a row away. */
  drop(id: string): void;
  added(): Row[];
  changed(): { readonly before: Row; readonly after: Row }[];
  dropped(): Row[];
}

/** Everything that the decisions of one batch are made over. Nothing outside of it is looked at, nothing but it is written. */
export interface WorkingSet {
  readonly intents: TrackedRows<Intent>;
  readonly evidence: TrackedRows<Evidence>;
  /** By SMS event. */
  readonly matches: TrackedRows<Match>;
  readonly claims: TrackedRows<Claim>;
  readonly earlySignals: TrackedRows<EarlySignals>;
}

export function emptyWorkingSet(): WorkingSet {
  return {
    intents: trackedRows(
      ({ id }) => id,
      ({ tenant, referenceKey }) => [keyOf.reference(tenant, referenceKey)],
    ),
    evidence: trackedRows(
      ({ smsEventId }) => smsEventId,
      ({ tenant, trxId, referenceKey }) => [
        keyOf.trxId(tenant, trxId),
        ...(referenceKey === undefined ? [] : [keyOf.reference(tenant, referenceKey)]),
      ],
    ),
    matches: trackedRows(
      ({ smsEventId }) => smsEventId,
      () => [],
    ),
    claims: trackedRows(
      ({ id }) => id,
      ({ tenant, trxId, intentId }) => [keyOf.trxId(tenant, trxId), keyOf.intent(intentId)],
    ),
    earlySignals: trackedRows(
      ({ smsEventId }) => smsEventId,
      () => [],
    ),
  };
}

/** A text that is re-parsed may have other keys than before; a row is found by those that it has. */
function trackedRows<Row>(idOf: (row: Row) => string, keysOf: (row: Row) => readonly string[]): TrackedRows<Row> {
  const loaded = new Map<string, Row>();
  const current = new Map<string, Row>();
  const index = new Map<string, Set<string>>();

  function file(row: Row): void {
    const id = idOf(row);
    for (const key of keysOf(row)) {
      const ids = index.get(key);
      if (ids === undefined) index.set(key, new Set([id]));
      else ids.add(id);
    }
    current.set(id, row);
  }
  const present = (row: Row | undefined): row is Row => row !== undefined;

  return {
    get: (id) => current.get(id),
    find: (key) =>
      [...(index.get(key) ?? [])]
        .map((id) => current.get(id))
        .filter(present)
        .filter((row) => keysOf(row).includes(key)),
    all: () => [...current.values()],
    load(row) {
      if (current.has(idOf(row))) return;
      loaded.set(idOf(row), row);
      file(row);
    },
    put: file,
    drop: (id) => void current.delete(id),
    dropped: () => [...loaded].filter(([id]) => !current.has(id)).map(([, row]) => row),
    added: () => [...current].filter(([id]) => !loaded.has(id)).map(([, row]) => row),
    changed: () =>
      [...loaded].flatMap(([id, before]) => {
        const after = current.get(id);
        return after === undefined || after === before ? [] : [{ before, after }];
      }),
  };
}
