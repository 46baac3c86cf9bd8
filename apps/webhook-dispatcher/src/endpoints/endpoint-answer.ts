import type { EndpointResponse } from '@pay/contracts';
import type { Endpoint } from './endpoint-repository';

/** Copied field by field, so that a new column, such as a secret, is not exposed by accident. */
export function endpointAnswer(endpoint: Endpoint): EndpointResponse {
  const { id, url, eventTypes, environment, isVerified, verifiedAt, isActive, disabledReason } = endpoint;
  return {
    id,
    url,
    eventTypes: [...eventTypes],
    environment,
    isVerified,
    verifiedAt: verifiedAt?.toISOString() ?? null,
    isActive,
    disabledReason,
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    secretOverlapEndsAt: endpoint.secretOverlapEndsAt?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
  };
}
