import { FIRST_ID, arraysOf, command, inTransaction, statement, type Queryable } from '@pay/persistence';

/** The parts of a stored SMS that may contain the number of a payer. */
export interface PayerText {
  readonly id: string;
  readonly sealedText: string | null;
  readonly senderMsisdn: string | null;
  readonly recipientMsisdn: string | null;
  readonly reference: string | null;
}

export interface PayerTextPage {
  readonly texts: PayerText[];
  /** The last id that was looked at; null when no rows follow. */
  readonly last: string | null;
}

const COLUMNS = `id, sealed_text as "sealedText", parsed_sender_msisdn as "senderMsisdn",
  parsed_recipient_msisdn as "recipientMsisdn", parsed_reference as reference`;

// Ids are in the order of arrival. A page is a range of the ids of all merchants, because no index leads to all texts
// of one merchant.
const END = statement(
  'payer-texts-end',
  `select max(id::text) as last, count(*)::integer as rows from (select id from sms_events where id > $1 order by id limit $2) as page`,
);
const PAGE = statement(
  'payer-texts',
  `select ${COLUMNS} from sms_events
    where id > $1 and id <= $2 and merchant_id = $3
      and num_nonnulls(sealed_text, parsed_sender_msisdn, parsed_recipient_msisdn, parsed_reference) > 0
    order by id`,
);

/** The texts of a merchant among the next `rows` of all merchants. */
export async function pageOfPayerTexts(
  db: Queryable,
  { merchantId, after, rows }: { readonly merchantId: string; readonly after: string | null; readonly rows: number },
): Promise<PayerTextPage> {
  const from = after ?? FIRST_ID;
  const [end] = await db.query<{ last: string | null; rows: number }>(END, [from, rows]);
  if (end === undefined || end.last === null) return { texts: [], last: null };
  const texts = await db.query<PayerText>(PAGE, [from, end.last, merchantId]);
  return { texts, last: end.rows < rows ? null : end.last };
}

/** Those of the texts that are decided, locked. */
export const lockDecidedTexts = inTransaction.rows<PayerText, [ids: readonly string[], merchantId: string]>(
  'decided-payer-texts',
  // RECEIVED and PARSED are not decided: their text is still needed.
  `select ${COLUMNS} from sms_events
    where id = any($1::uuid[]) and merchant_id = $2 and status not in ('RECEIVED', 'PARSED') for update`,
);

/** Deletes the texts, and stores what remains of the parsed values. */
export const eraseTexts = command(
  'erase-payer-texts',
  `update sms_events as sms set sealed_text = null, parsed_sender_msisdn = given.sender,
     parsed_recipient_msisdn = given.recipient, parsed_reference = given.reference
   from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as given (id, sender, recipient, reference)
   where sms.id = given.id`,
  (remaining: readonly Pick<PayerText, 'id' | 'senderMsisdn' | 'recipientMsisdn' | 'reference'>[]) =>
    arraysOf(remaining, 'id', 'senderMsisdn', 'recipientMsisdn', 'reference'),
);
