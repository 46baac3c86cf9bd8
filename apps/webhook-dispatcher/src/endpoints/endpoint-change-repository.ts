import type { Tenant, WebhookEvent } from '@pay/contracts';
import { command, inTransaction } from '@pay/persistence';
import { ENDPOINT_COLUMNS, type Endpoint } from './endpoint-repository';

/** Locks for update: waits for plans that read the old endpoint, so that following statements see their deliveries. */
export const lockEndpoint = inTransaction.firstRow<Endpoint, [tenant: Tenant, id: string]>(
  'lock-endpoint',
  `select ${ENDPOINT_COLUMNS} from endpoints
   where id = $1 and merchant_id = $2 and environment = $3 and deleted_at is null for update`,
  (tenant, id) => [id, tenant.merchantId, tenant.environment],
);

export interface EndpointChange {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly WebhookEvent[] | undefined;
  readonly isActive?: boolean | undefined;
}

/**
 * A new URL is a new receiver, so verification, 410 and failure state are reset. Enabling also resets failures, because
 * the endpoint would be disabled again immediately.
 */
export const changeEndpointRow = inTransaction.command(
  'change-endpoint',
  `with changed as (
     select id, coalesce($2 <> url, false) as is_elsewhere, coalesce($2 <> url, false) or $4 is true as is_fresh
     from endpoints where id = $1
   )
   update endpoints e set
     url = coalesce($2, e.url),
     event_types = coalesce($3::text[], e.event_types),
     is_active = coalesce($4, e.is_active),
     is_verified = e.is_verified and not is_elsewhere,
     verified_at = case when not is_elsewhere then verified_at end,
     disabled_reason = case when $4 is null then disabled_reason end,
     gone_at = case when not is_fresh then gone_at end,
     failing_since = case when not is_fresh then failing_since end,
     failed_attempts = case when is_fresh then 0 else failed_attempts end,
     warned_level = case when is_fresh then 0 else warned_level end,
     breaker_failures = case when is_fresh then 0 else breaker_failures end,
     breaker_wait = case when not is_fresh then breaker_wait end,
     breaker_until = case when not is_fresh then breaker_until end,
     early_probes_from = case when not is_fresh then early_probes_from end,
     recovered_at = case when is_fresh then now() else recovered_at end
   from changed where e.id = changed.id`,
  (id: string, change: EndpointChange) => [id, change.url ?? null, change.eventTypes ?? null, change.isActive ?? null],
);

export const markVerified = inTransaction.command<[id: string]>(
  'mark-endpoint-verified',
  'update endpoints set is_verified = true, verified_at = now(), recovered_at = now() where id = $1',
);

/** Without `next` the rotation has no overlap. */
export const writeSecrets = inTransaction.command(
  'rotate-endpoint-secret',
  `update endpoints set
     sealed_secret = $2, next_sealed_secret = $3,
     secret_overlap_ends_at = case when $3::text is not null then now() + make_interval(secs => $4::float8) end
   where id = $1`,
  (id: string, secrets: { readonly sealed: string; readonly next: string | null; readonly overlapSeconds: number }) => [
    id,
    secrets.sealed,
    secrets.next,
    secrets.overlapSeconds,
  ],
);

/** Deletes secrets whose overlap has ended. */
export const endOverlaps = command(
  'end-secret-overlaps',
  `update endpoints set sealed_secret = next_sealed_secret, next_sealed_secret = null, secret_overlap_ends_at = null
   where secret_overlap_ends_at <= now()`,
);
