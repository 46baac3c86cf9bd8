import { statement, type Queryable, type Transaction } from '@pay/persistence';

export interface NumberProof {
  readonly id: string;
  readonly merchantId: string;
  readonly msisdn: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly sentAt: Date | null;
  readonly provenAt: Date | null;
  readonly closedAt: Date | null;
}

const COLUMNS = `id, merchant_id as "merchantId", msisdn, created_at as "createdAt", expires_at as "expiresAt",
  sent_at as "sentAt", proven_at as "provenAt", closed_at as "closedAt"`;
const INSERT = statement(
  'number-proof-insert',
  'insert into number_proofs (id, merchant_id, msisdn, created_by, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)',
);
const OPEN = statement(
  'number-proofs-open',
  `select ${COLUMNS} from number_proofs where merchant_id = $1 and proven_at is null and closed_at is null`,
);
const ALL_OPEN = statement(
  'number-proofs-all-open',
  `select ${COLUMNS} from number_proofs
    where proven_at is null and closed_at is null and expires_at > $1 order by id limit 1000`,
);
const FIND = statement('number-proof-find', `select ${COLUMNS} from number_proofs where id = $1 and merchant_id = $2`);
const LOCK = statement(
  'number-proof-lock',
  `select ${COLUMNS}, code_hash as "codeHash" from number_proofs where id = $1 for update`,
);
const PAGE = statement(
  'number-proofs-page',
  `select ${COLUMNS} from number_proofs where merchant_id = $1 order by id desc limit $2 offset $3`,
);
const COUNT = statement(
  'number-proofs-count',
  'select count(*)::integer as total from number_proofs where merchant_id = $1',
);
const SEND = statement(
  'number-proof-send',
  'update number_proofs set code_hash = $2, sent_at = $3, expires_at = $4 where id = $1',
);
const COUNT_WRONG = statement(
  'number-proof-wrong-code',
  `update number_proofs set wrong_tries = wrong_tries + 1, closed_at = case when wrong_tries + 1 >= $3 then $2::timestamptz end
    where id = $1`,
);
const PROVE = statement('number-proof-prove', 'update number_proofs set proven_at = $2 where id = $1');
const CLOSE = statement('number-proof-close', 'update number_proofs set closed_at = $2 where id = $1');
const LOCK_NUMBER = statement(
  'live-number-lock',
  `select pg_advisory_xact_lock(hashtextextended('live number ' || $1, 0))`,
);
const HOLDER = statement(
  'number-proof-holder',
  `select ${COLUMNS} from number_proofs where msisdn = $1 and proven_at is not null and closed_at is null`,
);

export async function insertNumberProof(
  tx: Transaction,
  { id, merchantId, msisdn, createdAt, expiresAt }: NumberProof,
  createdBy: string,
): Promise<void> {
  await tx.execute(INSERT, [id, merchantId, msisdn, createdBy, createdAt, expiresAt]);
}

export function openNumberProofs(tx: Transaction, merchantId: string): Promise<NumberProof[]> {
  return tx.query<NumberProof & object>(OPEN, [merchantId]);
}

/** Of all merchants, the oldest first; for the command line. */
export function allOpenNumberProofs(tx: Transaction, now: Date): Promise<NumberProof[]> {
  return tx.query<NumberProof & object>(ALL_OPEN, [now]);
}

export async function findNumberProof(db: Queryable, id: string, merchantId: string): Promise<NumberProof | undefined> {
  return (await db.query<NumberProof & object>(FIND, [id, merchantId]))[0];
}

export async function lockNumberProof(
  tx: Transaction,
  id: string,
): Promise<(NumberProof & { readonly codeHash: string | null }) | undefined> {
  return (await tx.query<NumberProof & { readonly codeHash: string | null }>(LOCK, [id]))[0];
}

/** A merchant's proofs, newest first, and how many there are in all. */
export async function pageOfNumberProofs(
  db: Queryable,
  merchantId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ proofs: NumberProof[]; total: number }> {
  const [proofs, [counted]] = await Promise.all([
    db.query<NumberProof & object>(PAGE, [merchantId, limit, offset]),
    db.query<{ total: number }>(COUNT, [merchantId]),
  ]);
  return { proofs, total: counted?.total ?? 0 };
}

export async function storeSentCode(
  tx: Transaction,
  { id, codeHash, sentAt, expiresAt }: { id: string; codeHash: string; sentAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.execute(SEND, [id, codeHash, sentAt, expiresAt]);
}

/** The last of the tries closes the proof. */
export async function countWrongCode(tx: Transaction, id: string, at: Date, mostTries: number): Promise<void> {
  await tx.execute(COUNT_WRONG, [id, at, mostTries]);
}

export async function proveNumber(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.execute(PROVE, [id, at]);
}

export async function closeNumberProof(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.execute(CLOSE, [id, at]);
}

/** Until the end of the transaction nobody else opens an account on this LIVE number or proves it. */
export async function lockLiveNumber(tx: Transaction, msisdn: string): Promise<void> {
  await tx.query(LOCK_NUMBER, [msisdn]);
}

/** The proof that counts. The number must be locked where something is decided by this. */
export async function holderOfNumber(tx: Transaction, msisdn: string): Promise<NumberProof | undefined> {
  return (await tx.query<NumberProof & object>(HOLDER, [msisdn]))[0];
}
