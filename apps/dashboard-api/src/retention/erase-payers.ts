import { erasedPayersSchema, payerPageSchema, type ErasedPayers, type PayerPage } from '@pay/contracts';
import type { Peers } from '../clients/service-clients';

export type PayerServices = Pick<Peers, 'smsIngest' | 'intentApi' | 'reconciler'>;

export interface Payers {
  readonly merchantId: string;
  /** Normalised by `normaliseMsisdn`. */
  readonly msisdns: readonly string[];
}

/** `open` records are not decided yet and keep the numbers. Repeat the command later. */
export interface PayerErasure {
  readonly erased: { readonly smsIngest: number; readonly intentApi: number; readonly reconciler: number };
  readonly open: number;
}

/**
 * Copies are erased before the original record, so that a repeated erasure finds the record again after an
 * interruption.
 */
export async function erasePayers(services: PayerServices, payers: Payers): Promise<PayerErasure> {
  const erased = { smsIngest: 0, intentApi: 0, reconciler: 0 };
  let open = 0;
  for (const [owner, key] of [
    ['smsIngest', 'smsEventIds'],
    ['intentApi', 'paymentIntentIds'],
  ] as const) {
    for await (const ids of pagesOf(services[owner], payers)) {
      const copies = await erase(services.reconciler, { ...payers, [key]: ids });
      const closed = ids.filter((id) => !copies.openIds.includes(id));
      const records = await erase(services[owner], { ...payers, [key]: closed });
      erased.reconciler += copies.erased;
      erased[owner] += records.erased;
      open += copies.openIds.length + records.openIds.length;
    }
  }
  return { erased, open };
}

async function* pagesOf(owner: PayerServices['smsIngest'], payers: Payers): AsyncGenerator<readonly string[]> {
  for (let after: string | null = null; ;) {
    const page: PayerPage = await owner.request('POST', '/internal/v1/payers/find', {
      schema: payerPageSchema,
      body: { ...payers, after },
      idempotent: true,
    });
    if (page.ids.length > 0) yield page.ids;
    if (page.next === null) return;
    after = page.next;
  }
}

function erase(service: PayerServices['reconciler'], body: object): Promise<ErasedPayers> {
  return service.request('POST', '/internal/v1/payers/erase', { schema: erasedPayersSchema, body, idempotent: true });
}
