import { MAX_COUNTED_AUDIT_ENTRIES, type Environment } from '@pay/contracts';
import { inTransaction, type Queryable } from '@pay/persistence';

/** `before` and `after` never contain the hash of a password or key. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /**
   * `cli:<name>`, `seed`, `user:<id>`, `pairing:<id>` for a phone that entered a valid code, or `login` for an
   * unauthenticated attempt.
   */
  readonly actor: string;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly merchantId: string;
  readonly environment: Environment | null;
  readonly before: object | null;
  readonly after: object | null;
  readonly reason?: string | null;
}

export const insertAuditEntry = inTransaction.command(
  'audit-insert',
  `insert into audit_log (id, at, actor, action, subject_kind, subject_id, merchant_id, environment, before, after, reason)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
  ({ id, at, actor, action, subjectKind, subjectId, merchantId, environment, before, after, reason }: AuditEntry) => [
    id,
    at,
    actor,
    action,
    subjectKind,
    subjectId,
    merchantId,
    environment,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    reason ?? null,
  ],
);

export interface AuditLogFilter {
  readonly merchantId: string;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectKind?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Maximum number of entries read for one page. The next page continues after them. */
const MOST_LOOKED_AT = MAX_COUNTED_AUDIT_ENTRIES;

/** The most selective filter first. Each has an index in the order of the result. */
const NARROWING = {
  subjectId: 'subject_id',
  actor: 'actor',
  action: 'action',
  subjectKind: 'subject_kind',
} as const satisfies Partial<Record<keyof AuditLogFilter, string>>;

const COLUMNS = `id, at, actor, action, subject_kind as "subjectKind", subject_id as "subjectId", merchant_id as "merchantId",
  environment, before, after, reason`;
const CURSOR = `(extract(epoch from at) * 1000000)::bigint || '.' || id as cursor`;
const NEWEST_FIRST = 'order by at desc, id desc';

export interface AuditLogPage {
  readonly entries: readonly AuditEntry[];
  readonly total: number;
  readonly totalIsExact: boolean;
  /** Null at the end. */
  readonly nextCursor: string | null;
}

/** Newest first. Reads the index of the most selective filter in bounded steps, which limits the cost of a request. */
export async function pageOfAuditLog(
  db: Queryable,
  filter: AuditLogFilter,
  { limit, offset, after }: { readonly limit: number; readonly offset: number; readonly after?: string | undefined },
): Promise<AuditLogPage> {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const given = Object.entries(NARROWING).flatMap(([name, column]) => {
    const value = filter[name as keyof AuditLogFilter];
    return value === undefined ? [] : [`${column} = ${place(value)}`];
  });
  const along = [
    `merchant_id = ${place(filter.merchantId)}`,
    ...given.slice(0, 1),
    ...(filter.from === undefined ? [] : [`at >= ${place(filter.from)}`]),
    ...(filter.to === undefined ? [] : [`at < ${place(filter.to)}`]),
  ];
  const fits = given.slice(1).join(' and ') || 'true';
  const walk = (most: number, conditions: readonly string[]) =>
    `select id, at, (${fits}) as fits from audit_log where ${conditions.join(' and ')} ${NEWEST_FIRST} limit ${most}`;
  const counting = `select count(*)::integer as walked, count(*) filter (where fits)::integer as fitting
    from (${walk(MOST_LOOKED_AT + 1, along)}) walk`;
  const counted = [...values];
  const isNarrowed = given.length > 1;
  const fromCursor = [...along, ...(after === undefined ? [] : [isBehind(after, place)])];
  const shown = `select ${COLUMNS}, ${CURSOR} from audit_log join (
      select id as shown_id from (${walk(isNarrowed ? MOST_LOOKED_AT : offset + limit + 1, fromCursor)}) walk where fits
      ${NEWEST_FIRST} limit ${limit + 1} offset ${offset}) page on id = shown_id ${NEWEST_FIRST}`;
  const [[count], rows] = await Promise.all([
    db.query<{ walked: number; fitting: number }>(counting, counted),
    offset < MAX_COUNTED_AUDIT_ENTRIES ? db.query<AuditEntry & { cursor: string }>(shown, values) : [],
  ]);
  const { walked = 0, fitting = 0 } = count ?? {};
  const entries = rows.slice(0, limit);
  return {
    entries,
    total: Math.min(fitting, MAX_COUNTED_AUDIT_ENTRIES),
    totalIsExact: walked <= MOST_LOOKED_AT,
    nextCursor: rows.length > limit ? (entries.at(-1)?.cursor ?? null) : await cutAt(),
  };

  /** The page may be short because the maximum number of entries was read. */
  async function cutAt(): Promise<string | null> {
    if (!isNarrowed) return null;
    const end = `select ${CURSOR} from (${walk(MOST_LOOKED_AT, fromCursor)}) walk offset ${MOST_LOOKED_AT - 1}`;
    return (await db.query<{ cursor: string }>(end, values))[0]?.cursor ?? null;
  }
}

function isBehind(cursor: string, place: (value: unknown) => string): string {
  const [micros, id] = cursor.split('.');
  return `(at, id) < (timestamptz 'epoch' + ${place(micros)}::bigint * interval '1 microsecond', ${place(id)}::uuid)`;
}
