import { Alert, Group } from '@mantine/core';
import type { EndpointResponse } from '@pay/contracts';
import { Time } from '../parts/facts';
import { ToneBadge } from '../parts/tone-badge';
import { useWebhookWords } from './words';

export function EndpointBadges({ endpoint: { isActive, isVerified } }: { readonly endpoint: EndpointResponse }) {
  const w = useWebhookWords();
  return (
    <Group gap="xs">
      <ToneBadge tone={isActive ? 'good' : 'bad'}>{isActive ? w.active : w.disabled}</ToneBadge>
      <ToneBadge tone={isVerified ? 'good' : 'warning'}>{isVerified ? w.verified : w.unverified}</ToneBadge>
    </Group>
  );
}

/** Why webhooks do not arrive, if that is known. */
export function EndpointTrouble({ endpoint }: { readonly endpoint: EndpointResponse }) {
  const w = useWebhookWords();
  const { disabledReason, failingSince, isVerified, environment } = endpoint;
  const isHeld = environment === 'LIVE' && !isVerified;
  if (disabledReason === null && failingSince === null && !isHeld) return null;
  return (
    <Alert color="yellow" mt="sm">
      {disabledReason === null ? null : <div>{w.disabledReasons[disabledReason]}</div>}
      {isHeld ? <div>{w.unverifiedLive}</div> : null}
      {failingSince === null ? null : (
        <div>
          {w.failingSince}: <Time at={failingSince} />
        </div>
      )}
    </Alert>
  );
}
