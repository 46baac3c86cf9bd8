import { command, oldRowsInOrder, onlyRow, rows, type OldRows } from '@pay/persistence';

/** Messages that a device has sent, new or repeated. */
const BROUGHT = (columns: string, condition: string) =>
  `select ${columns} from sms_events where device_id = $1 and client_message_id is not null and ${condition}
   union all select ${columns} from device_repeats where device_id = $1 and ${condition}`;

export interface MessageDay {
  readonly day: string;
  readonly simSlot: number | null;
  readonly count: number;
  readonly digest: string;
}

/** The messages of a device since a time, per UTC day and SIM slot. */
export const messageDays = rows<MessageDay, [deviceId: string, since: Date]>(
  'device-message-days',
  // An id that was sent twice on a day counts once, as on the phone.
  `select day::text, sim_slot as "simSlot", count(*)::int,
     lpad(to_hex(bit_xor(('x' || encode(substring(sha256(convert_to(client_message_id, 'UTF8')) for 8), 'hex'))::bit(64)::bigint)), 16, '0') as digest
   from (select distinct (received_at at time zone 'UTC')::date as day, sim_slot, client_message_id
         from (${BROUGHT('received_at, sim_slot, client_message_id', 'received_at >= $2')}) as brought) as message
   group by day, sim_slot order by day, sim_slot nulls first`,
);

/** The time of receipt of a device's newest message, and the current time. */
export const newestMessage = onlyRow<{ newest: Date | null; at: Date }, [deviceId: string]>(
  'device-newest-message',
  `select max(newest) as newest, now() as at from (
     (select received_at as newest from sms_events where device_id = $1 and client_message_id is not null
      order by received_at desc limit 1)
     union all (select received_at from device_repeats where device_id = $1 order by received_at desc limit 1)) as newest`,
);

export interface DatedId {
  /** Of UTC. Example: 2026-11-21 */
  readonly day: string;
  readonly id: string;
}

/** The messages of a device with these days and ids. */
export const knownMessages = rows<DatedId, [deviceId: string, days: readonly string[], ids: readonly string[]]>(
  'device-known-messages',
  // Day by day, so that the days between two distant ones are not read.
  `select day::text, client_message_id as id from unnest($2::date[]) as asked (day) cross join lateral (
     ${BROUGHT('client_message_id', "received_at >= asked.day::timestamp at time zone 'UTC' and received_at < (asked.day + 1)::timestamp at time zone 'UTC'")}
   ) as brought where client_message_id = any($3::text[])`,
);

export interface DeviceRepeat {
  readonly deviceId: string;
  readonly receivedAt: Date;
  readonly clientMessageId: string;
  readonly simSlot: number | null;
}

/** Records that a device sent repeated messages; new messages have their own event. */
export const noteDeviceRepeats = command(
  'note-device-repeats',
  `insert into device_repeats (device_id, received_at, client_message_id, sim_slot)
   select device_id, received_at, client_message_id, sim_slot
   from jsonb_to_recordset($1::jsonb) as given (device_id uuid, received_at timestamptz, client_message_id text, sim_slot integer)
   where not exists (
     select from sms_events as event where event.device_id = given.device_id and event.received_at = given.received_at
       and event.client_message_id = given.client_message_id and event.client_message_id is not null)
   order by device_id, received_at, client_message_id
   on conflict do nothing`,
  (repeats: readonly DeviceRepeat[]) => [
    JSON.stringify(
      repeats.map(({ deviceId, receivedAt, clientMessageId, simSlot }) => ({
        device_id: deviceId,
        received_at: receivedAt,
        client_message_id: clientMessageId,
        sim_slot: simSlot,
      })),
    ),
  ],
);

/** Repeats of messages that were received before. */
export function oldRepeats(before: Date): OldRows {
  return oldRowsInOrder({ table: 'device_repeats', order: 'received_at', orderType: 'timestamptz', before });
}
