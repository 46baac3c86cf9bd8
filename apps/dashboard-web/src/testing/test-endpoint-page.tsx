import { Anchor, Group, Paper, Text, TextInput } from '@mantine/core';
import type { TestEndpoint, TestEndpointRequest } from '@pay/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ApiFailure } from '../api/api-failure';
import { CodeBlock, readableJson } from '../parts/code-block';
import { controlled } from '../parts/form';
import { Facts, Identifier, Time } from '../parts/facts';
import { FormDialog } from '../parts/form-dialog';
import { KeysetList, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { FailureAlert, Message, Pending } from '../parts/page-states';
import { ToneBadge } from '../parts/tone-badge';
import { ActionButton } from '../parts/action-button';
import { Caption, Heading } from '../parts/typography';
import { useCall } from '../session/session-context';
import { placeOf } from '../parts/places';
import { SectionTabs } from '../parts/section-pages';
import { useWords } from '../text/language';
import { wholeNumber } from '../text/whole-number';
import { useTestingWords } from './words';

/** Short, because a user who tests waits for a request. */
const REFETCH_MS = 3_000;

/** The endpoint that the API hosts for shops without a server, and the requests that it has received. */
export function TestEndpointPage() {
  const { endpoint: w } = useTestingWords();
  const call = useCall();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ['test-endpoint'],
    queryFn: async ({ signal }) => {
      try {
        return await call('getTestEndpoint', {}, signal);
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }
    },
  });
  const create = useMutation({
    mutationFn: () => call('createTestEndpoint', {}),
    onSuccess: (created) => queries.setQueryData(['test-endpoint'], created),
  });
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle} />
      <SectionTabs />
      {found.data === undefined ? (
        <Pending query={found} />
      ) : found.data === null ? (
        <>
          <Message title={w.missing}>{w.missingText}</Message>
          <FailureAlert error={create.error} mb="md" />
          <Group justify="center">
            <ActionButton action={['createTestEndpoint']} loading={create.isPending} onClick={() => create.mutate()}>
              {w.create}
            </ActionButton>
          </Group>
        </>
      ) : (
        <Known endpoint={found.data} />
      )}
    </>
  );
}

function Known({ endpoint }: { readonly endpoint: TestEndpoint }) {
  const { endpoint: w } = useTestingWords();
  const { count } = useWords();
  const call = useCall();
  const [isChanging, setChanging] = useState(false);
  const list = useKeysetList(
    ['test-endpoint-requests'],
    async ({ after }, signal) =>
      asKeysetPage(await call('listTestEndpointRequests', { query: { limit: PAGE_SIZE, page: after ?? '1' } }, signal)),
    REFETCH_MS,
  );
  return (
    <>
      <Paper withBorder p="md" mb="md">
        <Facts
          facts={[
            { name: w.url, value: <Identifier text={endpoint.url} name={w.url} /> },
            { name: w.status, value: String(endpoint.responseStatus) },
            { name: w.delay, value: count(endpoint.responseDelaySeconds) },
          ]}
        />
        <Group gap="md" mt="md">
          <ActionButton action={['changeTestEndpoint']} variant="default" onClick={() => setChanging(true)}>
            {w.change}
          </ActionButton>
          <Anchor component={Link} href={placeOf('SANDBOX', 'webhooks', endpoint.endpointId)}>
            {w.configure}
          </Anchor>
        </Group>
      </Paper>
      <Heading mb="sm">{w.requests}</Heading>
      <KeysetList list={list} empty={<Message title={w.none}>{w.noneText}</Message>}>
        {(requests) => (
          <Paper component="ul" className="card-list" bg="transparent">
            {requests.map((request) => (
              <Received key={request.id} request={request} />
            ))}
          </Paper>
        )}
      </KeysetList>
      {isChanging ? <AnswerDialog endpoint={endpoint} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

function Received({ request }: { readonly request: TestEndpointRequest }) {
  const { endpoint: w } = useTestingWords();
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-received={request.eventType ?? 'none'}>
      <Group justify="space-between">
        <Text fw={600} className="identifier">
          {request.eventType ?? '—'}
        </Text>
        <ToneBadge tone={request.signature === 'VALID' ? 'good' : 'bad'}>
          {request.signature === 'VALID' ? w.valid : w.invalid}
        </ToneBadge>
      </Group>
      <Caption>
        <Time at={request.receivedAt} /> · {w.answered(String(request.responseStatus))}
      </Caption>
      <details>
        <summary>{w.body}</summary>
        <CodeBlock text={readableJson(request.body)} label={w.body} />
      </details>
      <details>
        <summary>{w.headers}</summary>
        <CodeBlock text={headers.join('\n')} label={w.headers} />
      </details>
    </Paper>
  );
}

interface DialogProps {
  readonly endpoint: TestEndpoint;
  readonly onClose: () => void;
}

function AnswerDialog({ endpoint, onClose }: DialogProps) {
  const { endpoint: w } = useTestingWords();
  const { t } = useWords();
  const call = useCall();
  const queries = useQueryClient();
  const [status, setStatus] = useState(String(endpoint.responseStatus));
  const [delay, setDelay] = useState(String(endpoint.responseDelaySeconds));
  const [isSubmitted, setSubmitted] = useState(false);
  const responseStatus = wholeNumber(status);
  const responseDelaySeconds = wholeNumber(delay);
  const apply = useMutation({
    mutationFn: (body: Pick<TestEndpoint, 'responseStatus' | 'responseDelaySeconds'>) =>
      call('changeTestEndpoint', { body }),
    onSuccess: (changed) => {
      queries.setQueryData(['test-endpoint'], changed);
      onClose();
    },
  });
  return (
    <FormDialog
      title={w.change}
      consequences={w.changeText}
      action={apply}
      onSubmit={() => {
        setSubmitted(true);
        return responseStatus !== undefined && responseDelaySeconds !== undefined
          ? apply.mutateAsync({ responseStatus, responseDelaySeconds })
          : undefined;
      }}
      onClose={onClose}
    >
      <TextInput
        label={w.status}
        {...controlled(status, setStatus)}
        error={isSubmitted && responseStatus === undefined ? t.states.wholeNumber : null}
        inputMode="numeric"
        data-autofocus
      />
      <TextInput
        label={w.delay}
        {...controlled(delay, setDelay)}
        error={isSubmitted && responseDelaySeconds === undefined ? t.states.wholeNumber : null}
        inputMode="numeric"
      />
    </FormDialog>
  );
}
