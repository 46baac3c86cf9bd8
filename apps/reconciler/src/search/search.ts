import {
  formatAmount,
  isUuid,
  normaliseMsisdn,
  parseAmount,
  toAsciiDigits,
  TRX_ID,
  type FoundByReconciler,
  type Tenant,
} from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findByText } from './search-repository';

/** Intents and open exceptions in which the text is a TrxID, a paying number, an amount or an id. */
export async function search(db: Queryable, tenant: Tenant, text: string): Promise<FoundByReconciler> {
  const found = await Promise.all(
    meaningsOf(text).map(async ([field, value]) =>
      (await findByText(db, tenant, field, value)).map((row) => ({ ...row, foundBy: field })),
    ),
  );
  const rows = found.flat();
  return {
    intents: rows.flatMap(({ intent_id: id, foundBy }) => (id === null ? [] : [{ id, foundBy }])),
    exceptions: rows
      .filter(({ intent_id: intentId, is_open: isOpen }) => intentId === null && isOpen)
      .flatMap(({ match_id: id, foundBy, trx_id: trxId, received_amount: amount, created_at: createdAt }) =>
        id === null
          ? []
          : [
              {
                id,
                foundBy,
                trxId,
                createdAt: createdAt.toISOString(),
                receivedAmount: amount === null ? null : formatAmount(BigInt(amount)),
              },
            ],
      ),
  };
}

type Meaning = readonly [field: Parameters<typeof findByText>[2], value: string];

/** The possible meanings of a text; a number can be both an amount and a TrxID. */
function meaningsOf(text: string): Meaning[] {
  const plain = toAsciiDigits(text.trim());
  if (isUuid(plain))
    return [
      ['id', plain],
      ['smsId', plain],
    ];
  const trxId = plain.toUpperCase();
  const payer = normaliseMsisdn(plain);
  const amount = parseAmount(plain.replaceAll(',', ''));
  return [
    ...(TRX_ID.test(trxId) ? ([['trxId', trxId]] as const) : []),
    ...(payer === undefined ? [] : ([['payer', payer]] as const)),
    ...(amount === undefined ? [] : ([['amount', amount.toString()]] as const)),
  ];
}
