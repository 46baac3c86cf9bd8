import type { Environment } from '@pay/contracts';
import { useMay, useUser } from '../session/session-context';

/** Whether the user may change endpoints of this environment: a DEVELOPER only those of SANDBOX, as the API decides. */
export function useManagesEndpoints(environment: Environment): boolean {
  const may = useMay();
  const { role } = useUser();
  return may('changeEndpoint') && !(role === 'DEVELOPER' && environment === 'LIVE');
}
