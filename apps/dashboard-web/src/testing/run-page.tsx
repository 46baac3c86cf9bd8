import { Anchor, Group, List, Text } from '@mantine/core';
import type { TestRun } from '@pay/contracts';
import { Link } from 'wouter';
import { Time } from '../parts/facts';
import { PageHead, PendingPage } from '../parts/page-head';
import { Section } from '../parts/section';
import { Caption } from '../parts/typography';
import { useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { RunBadge } from './run-badge';
import { useTestCases } from './use-test-cases';
import { useTestingWords } from './words';

const POLL_MS = 1_000;
const SIGNS = { PASSED: '✓', FAILED: '✗', SKIPPED: '–' } as const;

/** One run with its steps while they happen, its expectations and the evidence. */
export function RunPage({ id }: { readonly id: string }) {
  const { cases: w } = useTestingWords();
  const cases = useTestCases();
  const found = useOperation(['test-runs', id], 'getTestRun', {
    params: { id },
    refetchInterval: (query) => (query.state.data?.status === 'ENDED' ? false : POLL_MS),
  });
  const back = { to: placeOf('SANDBOX', 'testing', 'cases'), text: w.back };
  if (found.data === undefined) return <PendingPage title={w.title} back={back} query={found} />;
  const run = found.data;
  return (
    <>
      <PageHead title={cases.data?.data.find(({ key }) => key === run.testCase)?.title ?? run.testCase} back={back}>
        <RunBadge run={run} />
      </PageHead>
      {run.reason === null ? null : (
        <Text mb="md">
          {w.reason}: {run.reason}
        </Text>
      )}
      <Section title={w.expectations} mb="md">
        <List listStyleType="none" spacing="xs" lang="en">
          {run.expectations.map(({ text, result, detail }) => (
            <List.Item key={text} data-expectation={result}>
              <Text {...(result === 'FAILED' ? { fw: 600 } : {})}>
                <span role="img" aria-label={w.results[result]}>
                  {SIGNS[result]}
                </span>{' '}
                {text}
              </Text>
              {detail === null ? null : <Caption>{detail}</Caption>}
            </List.Item>
          ))}
        </List>
      </Section>
      <Section title={w.progress} mb="md">
        <List listStyleType="none" spacing="xs" aria-live="polite">
          {run.steps.map(({ at, text }) => (
            <List.Item key={`${at} ${text}`}>
              <Text lang="en">{text}</Text>
              <Caption>
                <Time at={at} />
              </Caption>
            </List.Item>
          ))}
        </List>
      </Section>
      <Evidence run={run} />
    </>
  );
}

function Evidence({ run: { evidence } }: { readonly run: TestRun }) {
  const { cases: w } = useTestingWords();
  const { paymentIntentIds, webhooks } = evidence;
  if (paymentIntentIds.length + webhooks.length === 0) return null;
  return (
    <Section title={w.evidence}>
      {paymentIntentIds.length === 0 ? null : <Text fw={600}>{w.payments}</Text>}
      {paymentIntentIds.map((id) => (
        <Anchor
          key={id}
          component={Link}
          href={placeOf('SANDBOX', 'payments', id)}
          display="block"
          className="identifier"
        >
          {id}
        </Anchor>
      ))}
      {webhooks.length === 0 ? null : (
        <Text fw={600} mt="sm">
          {w.deliveries}
        </Text>
      )}
      {webhooks.map(({ id, eventType, status, attempts }) => (
        <Group key={id} gap="sm">
          <Anchor component={Link} href={placeOf('SANDBOX', 'webhooks', 'deliveries', id)} className="identifier">
            {eventType}
          </Anchor>
          <Text size="sm" className="identifier">
            {status} · {attempts.map(({ httpStatus, outcome }) => httpStatus ?? outcome ?? '…').join(', ')}
          </Text>
        </Group>
      ))}
    </Section>
  );
}
