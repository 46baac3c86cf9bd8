import { Group, Paper, Text } from '@mantine/core';
import type { ApiKeyResponse, Environment } from '@pay/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton, RowButton } from '../parts/action-button';
import { None, Time } from '../parts/facts';
import { KeysetList, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { Message, NoPermission } from '../parts/page-states';
import { ToneBadge, type Tone } from '../parts/tone-badge';
import { Caption } from '../parts/typography';
import { useCall, useMay } from '../session/session-context';
import { useWords } from '../text/language';
import { ApiKeyDialog, OPERATION_OF, type KeyAction } from './api-key-dialog';

const TONES: Readonly<Record<ApiKeyResponse['state'], Tone>> = {
  ACTIVE: 'good',
  LOCKED: 'warning',
  EXPIRED: 'neutral',
  REVOKED: 'neutral',
};

interface Chosen {
  readonly action: KeyAction;
  readonly apiKey?: ApiKeyResponse;
}

/** The API keys of one environment. */
export default function ApiKeysPage({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const may = useMay();
  if (may('listApiKeys')) return <ApiKeys environment={environment} />;
  return (
    <>
      <PageHead title={t.apiKeys.title} subtitle={t.apiKeys.subtitle} />
      <NoPermission />
    </>
  );
}

function ApiKeys({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const call = useCall();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const list = useKeysetList(['api-keys', environment, 'pages'], async ({ after }, signal) =>
    asKeysetPage(await call('listApiKeys', { query: { environment, limit: PAGE_SIZE, page: after ?? '1' } }, signal)),
  );
  const close = () => {
    setChosen(undefined);
    void queries.invalidateQueries({ queryKey: ['api-keys'] });
  };
  return (
    <>
      <PageHead title={t.apiKeys.title} subtitle={t.apiKeys.subtitle}>
        <ActionButton action={['createApiKey', environment]} onClick={() => setChosen({ action: 'create' })}>
          {t.apiKeys.actions.create}
        </ActionButton>
      </PageHead>
      <KeysetList list={list} empty={<Message title={t.apiKeys.empty}>{t.apiKeys.emptyText}</Message>}>
        {(apiKeys) => (
          <Paper component="ul" className="card-list" bg="transparent">
            {apiKeys.map((apiKey) => (
              <ApiKeyCard key={apiKey.id} apiKey={apiKey} onAction={(action) => setChosen({ action, apiKey })} />
            ))}
          </Paper>
        )}
      </KeysetList>
      {chosen === undefined ? null : (
        <ApiKeyDialog
          key={`${chosen.action} ${chosen.apiKey?.id ?? ''}`}
          environment={environment}
          action={chosen.action}
          apiKey={chosen.apiKey}
          onClose={close}
        />
      )}
    </>
  );
}

interface CardProps {
  readonly apiKey: ApiKeyResponse;
  readonly onAction: (action: KeyAction) => void;
}

function ApiKeyCard({ apiKey, onAction }: CardProps) {
  const { t } = useWords();
  const { state } = apiKey;
  const actions: KeyAction[] =
    state === 'ACTIVE'
      ? ['rename', 'rotate', 'lock', 'revoke']
      : state === 'LOCKED'
        ? ['rename', 'unlock', 'revoke']
        : [];
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-api-key={apiKey.name}>
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={600}>{apiKey.name}</Text>
          <ToneBadge tone={TONES[state]}>{t.apiKeys.states[state]}</ToneBadge>
        </Group>
        <Group gap="xs">
          {actions.map((action) => (
            <RowButton
              key={action}
              action={[OPERATION_OF[action], apiKey.environment]}
              onClick={() => onAction(action)}
            >
              {t.apiKeys.actions[action]}
            </RowButton>
          ))}
        </Group>
      </Group>
      <Text className="identifier" mt={4}>
        {apiKey.prefix}…{apiKey.lastFour}
      </Text>
      <Caption>{apiKey.scopes.join(', ')}</Caption>
      <Caption>
        {t.apiKeys.lastUsed}: {apiKey.lastUsedAt === null ? <None /> : <Time at={apiKey.lastUsedAt} />}
        {apiKey.expiresAt === null ? null : (
          <>
            {' '}
            · {t.apiKeys.expires}: <Time at={apiKey.expiresAt} />
          </>
        )}
      </Caption>
    </Paper>
  );
}
