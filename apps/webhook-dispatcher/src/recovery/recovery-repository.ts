import type { Environment, WebhookEvent } from '@pay/contracts';
import { inTransaction } from '@pay/persistence';
import type { RecoveryKind } from '../endpoints/recovery-request-repository';

export interface OpenRecovery {
  readonly id: string;
  readonly endpointId: string;
  readonly kind: RecoveryKind;
  readonly since: Date;
  readonly phase: 'RESTING' | 'MISSED';
  readonly positionId: string | null;
  /** Text, because a Date would lose the microseconds that distinguish adjacent rows. */
  readonly positionAt: string | null;
  readonly position: string | null;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly eventTypes: readonly WebhookEvent[];
  /** True if a merchant has caused it. It then includes deliveries that were sent early and failed. */
  readonly isRequested: boolean;
  /** True if the endpoint may no longer receive deliveries, so the recovery ends. */
  readonly isVoid: boolean;
}

/** The least recently processed one first, so that a large recovery does not delay others. */
export const takeRecovery = inTransaction.firstRow<OpenRecovery>(
  'take-recovery',
  // Locks the endpoint too. Skips endpoints that are being changed, because a change locks the endpoint before its
  // recoveries.
  `select r.id, r.endpoint_id as "endpointId", r.kind, r.since, r.phase, r.position_id as "positionId",
     r.position_at::text as "positionAt", r.position, r.is_requested as "isRequested", e.merchant_id as "merchantId",
     e.environment, e.event_types as "eventTypes", not e.is_active or e.deleted_at is not null as "isVoid"
   from recoveries r join endpoints e on e.id = r.endpoint_id
   where r.finished_at is null order by r.worked_at limit 1
   for update of r skip locked for key share of e skip locked`,
);

export interface Progress {
  readonly phase?: 'RESTING' | 'MISSED';
  readonly positionId?: string | null;
  readonly positionAt?: string | null;
  readonly position?: string | null;
  readonly redelivered?: number;
  readonly created?: number;
  readonly isFinished?: boolean;
}

export const noteProgress = inTransaction.command(
  'note-recovery-progress',
  `update recoveries set phase = coalesce($2, phase), position_id = coalesce($3::uuid, position_id),
     position_at = coalesce($4::timestamptz, position_at), position = coalesce($5::bigint, position),
     redelivered = redelivered + $6, created = created + $7, worked_at = clock_timestamp(), finished_at = case when $8 then now() end
   where id = $1`,
  (id: string, progress: Progress) => {
    const { phase, positionId, positionAt, position, redelivered = 0, created = 0, isFinished = false } = progress;
    const places = [phase ?? null, positionId ?? null, positionAt ?? null, position ?? null];
    return [id, ...places, redelivered, created, isFinished];
  },
);
