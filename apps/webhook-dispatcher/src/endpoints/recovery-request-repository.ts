import { firstRow, inTransaction } from '@pay/persistence';

/**
 * VERIFIED: the endpoint was verified. CAME_BACK: it responds again, was switched on or has a new URL. ASKED: the
 * merchant requested it.
 */
export type RecoveryKind = 'VERIFIED' | 'CAME_BACK' | 'ASKED';

export interface Recovery {
  readonly id: string;
  readonly endpointId: string;
  readonly since: Date;
  readonly redelivered: number;
  readonly created: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const COLUMNS = `id, endpoint_id as "endpointId", since, redelivered, created, created_at as "createdAt", finished_at as "finishedAt"`;

export interface NewRecovery {
  readonly id: string;
  readonly endpointId: string;
  readonly kind: RecoveryKind;
  readonly since: Date;
}

/**
 * An endpoint has one active recovery per kind; a repeated request restarts it from the earlier time. Deliveries in
 * flight that fail become due by the time of the request, which is read when the endpoint is locked.
 */
export const beginRecovery = inTransaction.onlyRow<Recovery, [recovery: NewRecovery]>(
  'begin-recovery',
  `with recovered as (
     update endpoints set recovery_requested_at = clock_timestamp() where id = $2
   )
   insert into recoveries as r (id, endpoint_id, kind, since, is_requested) values ($1, $2, $3, $4, true)
   on conflict (endpoint_id, kind) where finished_at is null do update set
     since = least(r.since, excluded.since), is_requested = true, created_at = now(), phase = 'RESTING',
     position_id = null, position_at = null, position = null
   returning ${COLUMNS}`,
  ({ id, endpointId, kind, since }) => [id, endpointId, kind, since],
);

/** The latest recovery that the merchant requested. */
export const latestRecovery = firstRow<Recovery, [endpointId: string]>(
  'latest-recovery',
  `select ${COLUMNS} from recoveries where endpoint_id = $1 and kind = 'ASKED' order by id desc limit 1`,
);
