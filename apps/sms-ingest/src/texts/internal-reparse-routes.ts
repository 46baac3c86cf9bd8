import { internalReparseRequestSchema } from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import { reparseSms, type ReparseSmsDeps } from './reparse-sms';

/**
 * `POST /internal/v1/sms-events/reparse`: parses UNPARSED texts of a tenant again. dashboard-api checks the permission.
 */
export function mountInternalReparse(dashboard: InternalRoutes, deps: ReparseSmsDeps): void {
  dashboard.post(
    '/internal/v1/sms-events/reparse',
    { body: internalReparseRequestSchema },
    ({ body: { since, until, ...rest }, req }) =>
      reparseSms(deps, {
        ...rest,
        tenant: tenantOf(req),
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
      }),
  );
}
