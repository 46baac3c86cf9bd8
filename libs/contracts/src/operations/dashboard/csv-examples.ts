/** A header and one row, from the values by column. */
function csvExample(row: Readonly<Record<string, string | number>>): string {
  return [Object.keys(row), Object.values(row)].map((cells) => `${cells.join(',')}\r\n`).join('');
}

const INTENT_ID = '01935002-0000-7000-8000-00000000b001';
const SMS_ID = '01935002-0000-7000-8000-00000000b002';
const PAID_AT = '2026-11-20T09:01:32.000Z';
const RECEIVER = { payment_method: 'BKASH_SEND_MONEY', receiver_msisdn: '01712345678' } as const;

/** Texts of the CSV responses. A test compares their columns with those of the exports. */
export const CSV_EXAMPLES = {
  payments: csvExample({
    ...{ id: INTENT_ID, created_at: '2026-11-20T09:00:00.000Z', status: 'PAID', amount: '1250.5', currency: 'BDT' },
    ...{ reference: 'TEA-77', merchant_reference: 'INV-2026-0041', ...RECEIVER },
    ...{ expires_at: '2026-11-20T09:15:00.000Z', paid_at: PAID_AT },
  }),
  smsEvents: csvExample({
    ...{ id: SMS_ID, ingested_at: PAID_AT, received_at: PAID_AT, status: 'MATCHED', match_status: 'MATCHED' },
    ...{ reason: '', sender: 'bKash', provider: 'BKASH', kind: 'SEND_MONEY_RECEIVED', direction: 'IN' },
    ...{ payment_method: RECEIVER.payment_method, amount: '1250.5', trx_id: 'DKL4A1B2C3', reference: 'TEA-77' },
    ...{ sender_msisdn: '01812345678', receiver_msisdn: RECEIVER.receiver_msisdn, payment_intent_id: INTENT_ID },
    device_id: '01935002-0000-7000-8000-00000000b003',
  }),
  deliveries: csvExample({
    ...{ id: '01935002-0000-7000-8000-00000000b004', created_at: PAID_AT, event: 'payment.paid', status: 'DELIVERED' },
    ...{ attempts: 1, status_code: 200, endpoint_id: '01935002-0000-7000-8000-00000000b005' },
    ...{ payment_intent_id: INTENT_ID, delivered_at: '2026-11-20T09:01:32.100Z' },
  }),
  exceptions: csvExample({
    ...{ id: '01935002-0000-7000-8000-00000000b006', created_at: PAID_AT, status: 'OPEN', kind: 'amount_differs' },
    ...{ reason: 'reference_match_amount_mismatch', match_status: 'REVIEW_REQUIRED', expected_amount: '1250.5' },
    ...{ received_amount: '1250', payment_method: RECEIVER.payment_method, trx_id: 'DKL4A1B2C3', reference: 'TEA-77' },
    ...{ payer_msisdn: '01812345678', receiver_msisdn: RECEIVER.receiver_msisdn, payment_intent_id: INTENT_ID },
    ...{ intent_status: 'REVIEW_REQUIRED', sms_event_id: SMS_ID, assignee_id: '', resolved_by: '', resolved_at: '' },
    resolution_note: '',
  }),
  dailyClose: csvExample({
    ...{ date: '2026-11-20', environment: 'LIVE', receiver_account_id: '01935002-0000-7000-8000-00000000b007' },
    ...{ ...RECEIVER, opening_balance: '10000', matched_count: 1, matched: '1250.5', unmatched_count: 0, unmatched: 0 },
    ...{ other_incoming_count: 0, other_incoming: 0, outgoing_count: 0, outgoing: 0, fees: 0, commissions: 0 },
    ...{ adjustments: 0, closing_balance: '11250.5', expected_balance: '11250.5', difference: 0, missing_sms: 0 },
    ...{ doubtful_count: 0, doubtful: 0, duplicates: 0, as_of: '2026-11-20T18:00:00.000Z' },
  }),
} as const;
