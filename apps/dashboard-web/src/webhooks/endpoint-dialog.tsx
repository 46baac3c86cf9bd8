import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { DAY_MS, type EndpointResponse, type Environment, type WebhookEvent } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { controlled, optionsOf, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { ShownOnce } from '../parts/shown-once';
import { useCall } from '../session/session-context';
import { dhakaInstant, dhakaInput } from '../text/dhaka-input';
import { standardWebhooksSecret } from './standard-secret';
import { OPERATION_OF, useWebhookWords, type EndpointActionName } from './words';

const DEFAULT_OVERLAP = '86400';
const EVENTS: readonly WebhookEvent[] = [
  ...(['payment.paid', 'payment.review_required', 'payment.expired', 'payment.rejected'] as const),
  ...(['alert.opened', 'alert.closed'] as const),
];

/** The result of an action, besides the changed endpoint. */
export interface ActionResult {
  readonly action: EndpointActionName;
  /** Of the test event. */
  readonly deliveryId?: string;
}

interface DialogProps {
  readonly environment: Environment;
  readonly action: EndpointActionName;
  readonly endpoint: EndpointResponse | undefined;
  readonly onClose: (result?: ActionResult) => void;
}

/** Explains a change of an endpoint, has its fields and applies it. A new secret is shown only here. */
export function EndpointDialog({ environment, action, endpoint, onClose }: DialogProps) {
  const w = useWebhookWords();
  const call = useCall();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [eventTypes, setEventTypes] = useState<readonly WebhookEvent[]>(endpoint?.eventTypes ?? []);
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP);
  const [since, setSince] = useState(() => dhakaInput(new Date(Date.now() - DAY_MS)));
  const apply = useMutation({
    mutationFn: async (): Promise<{ secret?: string; deliveryId?: string }> => {
      const params = { id: endpoint?.id ?? '' };
      switch (action) {
        case 'create': {
          const body = { environment, url: url.trim(), eventTypes: [...eventTypes] };
          return { secret: (await call('createEndpoint', { body })).secret };
        }
        case 'rotate': {
          const body = { overlapSeconds: Number(overlap) };
          return { secret: (await call('rotateEndpointSecret', { params, body })).secret };
        }
        case 'change':
          await call('changeEndpoint', { params, body: { url: url.trim(), eventTypes: [...eventTypes] } });
          return {};
        case 'enable':
        case 'disable':
          await call('changeEndpoint', { params, body: { isActive: action === 'enable' } });
          return {};
        case 'test':
          return { deliveryId: (await call('testEndpoint', { params })).id };
        case 'recover':
          await call('recoverEndpoint', { params, body: { since: dhakaInstant(since) ?? since } });
          return {};
        case 'verify':
        case 'finish':
        case 'remove':
          await call(OPERATION_OF[action], { params });
          return {};
      }
    },
    onSuccess: ({ secret, deliveryId }) => {
      if (secret === undefined) onClose({ action, ...(deliveryId === undefined ? {} : { deliveryId }) });
    },
  });
  const asksForUrl = action === 'create' || action === 'change';
  const secret = apply.data?.secret;
  if (secret !== undefined) {
    return (
      <ShownOnce
        title={w.secret}
        warning={w.shownOnce}
        values={[
          { name: w.secret, text: secret },
          { name: w.secretStandard, text: standardWebhooksSecret(secret) },
        ]}
        done={w.stored}
        onClose={() => onClose({ action })}
      />
    );
  }
  return (
    <FormDialog
      title={w.actions[action]}
      consequences={w.consequences[action]}
      isDestructive={action === 'remove' || action === 'disable' || action === 'finish'}
      action={apply}
      onClose={() => onClose()}
    >
      {asksForUrl ? (
        <>
          <RequiredTextInput
            label={w.url}
            description={w.urlHint}
            {...controlled(url, setUrl)}
            type="url"
            maxLength={2_000}
            autoComplete="off"
            data-autofocus
          />
          <Checkbox.Group
            label={w.events}
            description={w.eventsHint}
            value={[...eventTypes]}
            onChange={(chosen) => setEventTypes(EVENTS.filter((event) => chosen.includes(event)))}
          >
            <Stack gap="xs" mt="xs">
              {EVENTS.map((event) => (
                <Checkbox key={event} value={event} label={<span className="identifier">{event}</span>} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      ) : null}
      {action === 'rotate' ? (
        <NativeSelect label={w.overlapLabel} {...controlled(overlap, setOverlap)} data={optionsOf(w.overlaps)} />
      ) : null}
      {action === 'recover' ? (
        <RequiredTextInput
          label={w.since}
          type="datetime-local"
          {...controlled(since, setSince)}
          error={dhakaInstant(since) === undefined ? w.sinceMissing : null}
        />
      ) : null}
    </FormDialog>
  );
}
