import { Anchor } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ApiKeyDialog } from '../api-keys/api-key-dialog';
import { CodeBlock } from '../parts/code-block';
import { FailureAlert } from '../parts/page-states';
import { ReceiverDialog } from '../receivers/receiver-dialog';
import { ActionButton } from '../parts/action-button';
import { useCall, useMay } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { PlayOrder } from './play-order';
import type { sandboxProgress } from './progress';
import { Step } from './step';
import { useFirstHourWords } from './words';

/** The steps to a paid order in SANDBOX; each can be done here. */
export function SandboxSteps({ progress }: { readonly progress: ReturnType<typeof sandboxProgress> }) {
  const { sandbox: w } = useFirstHourWords();
  const { t } = useWords();
  const may = useMay();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'receiver' | 'apiKey'>();
  const close = () => {
    setAsking(undefined);
    for (const key of ['receivers', 'api-keys']) void queries.invalidateQueries({ queryKey: [key] });
  };
  const dialog = { environment: 'SANDBOX', action: 'create', onClose: close } as const;
  // Only the next step is highlighted.
  const next = (['receiver', 'apiKey', 'endpoint', 'paid'] as const).find((name) => progress[name] === false);
  const look = (name: keyof typeof progress) => (name === next ? 'filled' : 'default');
  return (
    <ol className="card-list">
      <Step name="receiver" {...w.receiver} isDone={progress.receiver}>
        <ActionButton
          action={['createReceiverAccount']}
          variant={look('receiver')}
          onClick={() => setAsking('receiver')}
        >
          {w.addReceiver}
        </ActionButton>
      </Step>
      <Step name="apiKey" {...w.apiKey} isDone={progress.apiKey}>
        <ActionButton action={['createApiKey', 'SANDBOX']} variant={look('apiKey')} onClick={() => setAsking('apiKey')}>
          {t.apiKeys.actions.create}
        </ActionButton>
      </Step>
      <Step name="endpoint" {...w.endpoint} isDone={progress.endpoint}>
        {progress.endpoint !== true ? <UseHosted variant={look('endpoint')} /> : null}
        <Anchor component={Link} href={placeOf('SANDBOX', 'webhooks')}>
          {w.ownEndpoint}
        </Anchor>
      </Step>
      <Step name="paid" {...w.paid} isDone={progress.paid}>
        {may('runTestCase', 'SANDBOX') ? (
          <PlayOrder variant={look('paid')} isPossible={progress.receiver === true} />
        ) : null}
        <details className="wide">
          <summary>{w.ownShop}</summary>
          <CodeBlock text={commandFor(location.origin)} label={w.ownShop} />
          <Anchor component={Link} href={placeOf('SANDBOX', 'testing')} size="sm">
            {w.simulator}
          </Anchor>
        </details>
      </Step>
      {asking === 'receiver' ? <ReceiverDialog {...dialog} account={undefined} /> : null}
      {asking === 'apiKey' ? <ApiKeyDialog {...dialog} apiKey={undefined} /> : null}
    </ol>
  );
}

/** Creates the endpoint that the API hosts, for shops whose server is not ready. */
function UseHosted({ variant }: { readonly variant: 'filled' | 'default' }) {
  const { sandbox: w } = useFirstHourWords();
  const call = useCall();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => call('createTestEndpoint', {}),
    onSettled: () => {
      for (const key of ['endpoints', 'test-endpoint']) void queries.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <>
      <ActionButton
        action={['createTestEndpoint']}
        variant={variant}
        loading={create.isPending}
        onClick={() => create.mutate()}
      >
        {w.useHosted}
      </ActionButton>
      <FailureAlert error={create.error} />
    </>
  );
}

function commandFor(origin: string): string {
  const body = { amount: 500, idempotencyKey: 'order-1', paymentMethod: 'BKASH_SEND_MONEY' };
  return [
    `curl -s ${origin}/v1/payments/intents -H "X-Api-Key: $SANDBOX_API_KEY" \\`,
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
