import { MOST_FOUND, type SearchField, type Tenant } from '@pay/contracts';
import { statement, type Queryable, type Statement } from '@pay/persistence';

/** A match or an intent in which a text was found. Without a match id it is an intent alone. */
export interface FoundRow {
  readonly intent_id: string | null;
  readonly match_id: string | null;
  readonly is_open: boolean;
  readonly trx_id: string | null;
  readonly received_amount: string | null;
  readonly created_at: Date;
}

type Text = Extract<SearchField, 'trxId' | 'payer' | 'smsId' | 'id' | 'amount'>;

const MATCH = `m.payment_intent_id as intent_id, m.id as match_id, m.status not in ('MATCHED', 'DUPLICATE') as is_open,
  e.trx_id, m.received_amount, m.created_at`;
const OF_TENANT = 'merchant_id = $1 and environment = $2';

const byEvidence = (name: string, condition: string) =>
  statement(
    name,
    `select ${MATCH} from (
       select sms_event_id, trx_id from evidence where ${OF_TENANT} and ${condition} order by ingested_at desc limit ${MOST_FOUND}
     ) as e join matches m on m.sms_event_id = e.sms_event_id
     order by m.created_at desc`,
  );

/** Open and settled claims have an index each. */
const claimsThatAre = (state: 'OPEN' | 'SETTLED') =>
  `(select payment_intent_id, null, true, trx_id, null, submitted_at from claims
      where ${OF_TENANT} and trx_id = $3 and state = '${state}' limit ${MOST_FOUND})`;

/** Each is an index look-up by tenant and text. */
const SEARCHES: Readonly<Record<Text, Statement>> = {
  trxId: statement(
    'search-trx-id',
    `(select ${MATCH} from evidence e join matches m on m.sms_event_id = e.sms_event_id
      where e.merchant_id = $1 and e.environment = $2 and e.trx_id = $3 limit ${MOST_FOUND})
     union all
     ${claimsThatAre('OPEN')}
     union all
     ${claimsThatAre('SETTLED')}`,
  ),
  payer: byEvidence('search-payer', "payer_msisdn = $3 and state in ('USED', 'REVIEW', 'CLOSED')"),
  smsId: statement(
    'search-sms-id',
    `select ${MATCH} from matches m left join evidence e on e.sms_event_id = m.sms_event_id
     where m.sms_event_id = $3 and m.merchant_id = $1 and m.environment = $2`,
  ),
  id: statement(
    'search-match-id',
    `select ${MATCH} from matches m left join evidence e on e.sms_event_id = m.sms_event_id
     where m.id = $3 and m.merchant_id = $1 and m.environment = $2`,
  ),
  amount: statement(
    'search-unpaid-amount',
    `select id as intent_id, null as match_id, true as is_open, null as trx_id, null as received_amount, created_at from intents
     where ${OF_TENANT} and amount = $3::bigint and status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED')
     order by created_at desc limit ${MOST_FOUND}`,
  ),
};

export function findByText(
  db: Queryable,
  { merchantId, environment }: Tenant,
  field: Text,
  text: string,
): Promise<FoundRow[]> {
  return db.query<FoundRow>(SEARCHES[field], [merchantId, environment, text]);
}
