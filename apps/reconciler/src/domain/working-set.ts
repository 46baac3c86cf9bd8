import type { CheckName, Checks, MatchPath, MatchStatus, Poisha, Tenant } from '@pay/contracts';
import type { Claim, EarlySignals, Evidence, Intent } from './facts';
import { keyOf } from './keys';
import type { MatchDoubt, NotSeenReason, ReviewReason } from './reasons';

/** An intent that was considered for an SMS, kept for later questions. */
export interface Candidate {
  readonly paymentIntentId: string;
  readonly path: MatchPath;
  readonly reason: ReviewReason | NotSeenReason | 'pays';
  readonly failedRules: readonly CheckName[];
  /** All doubts about this intent, if there are any; the reason may be another one. */
  readonly doubts?: readonly MatchDoubt[] | undefined;
}

/** The current result for one SMS. */
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
  /** Doubts of the merchant's rules when this was decided. */
  readonly doubts: readonly MatchDoubt[];
  /** Number of published decisions about its SMS. */
  readonly smsSequence: number;
  /** sms-ingest's sequence of the decided version of the text. */
  readonly factsSequence: number;
  readonly factsEpoch?: number | undefined;
  /** Revision of its evidence. */
  readonly revision: number;
  readonly createdAt: Date;
  /** When its match window ended; stays set when it becomes an exception. */
  readonly windowEndedAt: Date | undefined;
  readonly resolvedAt: Date | undefined;
  /** `system`, or `user:<id>` when a person was the last to decide. */
  readonly decidedBy: string;
  /** The reason given by that person. */
  readonly resolutionNote: string | undefined;
}

export interface Change<Row> {
  readonly before: Row;
  readonly after: Row;
}

/** Rows of one kind with their changes since they were read. */
export interface TrackedRows<Row> {
  get(id: string): Row | undefined;
  find(key: string): Row[];
  all(): Row[];
  /** Adds a row as it is in the database; ignored if the row was loaded before. */
  load(row: Row): void;
  put(row: Row): void;
  /** Removes a row. */
  drop(id: string): void;
  added(): Row[];
  changed(): Change<Row>[];
  dropped(): Row[];
}

/** All rows that the decisions of one batch read and change. */
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

/** A re-parsed text may have other keys than before; a row is found only by its current keys. */
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
