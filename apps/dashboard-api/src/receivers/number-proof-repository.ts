import { firstRow, inTransaction, pageOfRows, rows } from '@pay/persistence';

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

export const insertNumberProof = inTransaction.command(
  'number-proof-insert',
  'insert into number_proofs (id, merchant_id, msisdn, created_by, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)',
  ({ id, merchantId, msisdn, createdAt, expiresAt }: NumberProof, createdBy: string) => [
    ...[id, merchantId, msisdn, createdBy, createdAt, expiresAt],
  ],
);

export const openNumberProofs = rows<NumberProof, [merchantId: string]>(
  'number-proofs-open',
  `select ${COLUMNS} from number_proofs where merchant_id = $1 and proven_at is null and closed_at is null`,
);

/** Proofs of all merchants, oldest first. For the command line. */
export const allOpenNumberProofs = rows<NumberProof, [now: Date]>(
  'number-proofs-all-open',
  `select ${COLUMNS} from number_proofs
    where proven_at is null and closed_at is null and expires_at > $1 order by id limit 1000`,
);

export const findNumberProof = firstRow<NumberProof, [id: string, merchantId: string]>(
  'number-proof-find',
  `select ${COLUMNS} from number_proofs where id = $1 and merchant_id = $2`,
);

type HashedNumberProof = NumberProof & { readonly codeHash: string | null };

export const findHashedNumberProof = firstRow<HashedNumberProof, [id: string, merchantId: string]>(
  'number-proof-find-hashed',
  `select ${COLUMNS}, code_hash as "codeHash" from number_proofs where id = $1 and merchant_id = $2`,
);

export const lockNumberProof = inTransaction.firstRow<HashedNumberProof, [id: string]>(
  'number-proof-lock',
  `select ${COLUMNS}, code_hash as "codeHash" from number_proofs where id = $1 for update`,
);

/** Newest first. */
export const pageOfNumberProofs = pageOfRows<NumberProof, [merchantId: string]>('number-proofs', {
  columns: COLUMNS,
  from: 'from number_proofs where merchant_id = $1',
  order: 'id desc',
});

export const storeSentCode = inTransaction.command<[id: string, codeHash: string, sentAt: Date, expiresAt: Date]>(
  'number-proof-send',
  'update number_proofs set code_hash = $2, sent_at = $3, expires_at = $4 where id = $1',
);

/** The last permitted attempt closes the proof. */
export const countWrongCode = inTransaction.command<[id: string, at: Date, mostTries: number]>(
  'number-proof-wrong-code',
  `update number_proofs set wrong_tries = wrong_tries + 1, closed_at = case when wrong_tries + 1 >= $3 then $2::timestamptz end
    where id = $1`,
);

export const proveNumber = inTransaction.command<[id: string, at: Date]>(
  'number-proof-prove',
  'update number_proofs set proven_at = $2 where id = $1',
);

export const closeNumberProof = inTransaction.command<[id: string, at: Date]>(
  'number-proof-close',
  'update number_proofs set closed_at = $2 where id = $1',
);

/** Serialises transactions that create an account with this LIVE number or prove it. */
export const lockLiveNumber = inTransaction.firstRow<object, [msisdn: string]>(
  'live-number-lock',
  `select pg_advisory_xact_lock(hashtextextended('live number ' || $1, 0))`,
);

/** The valid proof. Lock the number if a decision depends on it. */
export const holderOfNumber = firstRow<NumberProof, [msisdn: string]>(
  'number-proof-holder',
  `select ${COLUMNS} from number_proofs where msisdn = $1 and proven_at is not null and closed_at is null`,
);
