import { Group, List, Paper, Stack, Text, TextInput } from '@mantine/core';
import type { TestCase, TestCaseKey, TestRun } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { controlled } from '../parts/form';
import { PageHead } from '../parts/page-head';
import { FailureAlert, Message, Pending } from '../parts/page-states';
import { Ago, RowLink, TableOrCards } from '../parts/table-or-cards';
import { ActionButton, RowButton } from '../parts/action-button';
import { Caption, Heading } from '../parts/typography';
import { useCall, useMay, useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { SectionTabs } from '../parts/section-pages';
import { useWords } from '../text/language';
import { RunBadge } from './run-badge';
import { useTestCases } from './use-test-cases';
import { useTestingWords } from './words';

const POLL_RUNNING_MS = 1_000;
const SHOWN_RUNS = '25';

/** All test cases, and the progress of the latest runs. */
export function TestCasesPage() {
  const { cases: w } = useTestingWords();
  const call = useCall();
  const may = useMay();
  const queries = useQueryClient();
  const [successUrl, setSuccessUrl] = useState('');
  const cases = useTestCases();
  const run = useMutation({
    mutationFn: async (keys: readonly TestCaseKey[]) => {
      const body = successUrl.trim() === '' ? {} : { successUrl: successUrl.trim() };
      for (const key of keys) await call('runTestCase', { params: { key }, body });
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['test-runs'] }),
  });
  const all = cases.data?.data ?? [];
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <ActionButton
          action={['runTestCase', 'SANDBOX']}
          loading={run.isPending}
          onClick={() => run.mutate(all.map(({ key }) => key))}
        >
          {w.runAll}
        </ActionButton>
      </PageHead>
      <SectionTabs />
      <FailureAlert error={run.error} mb="md" />
      <Stack gap="lg">
        <Runs cases={all} />
        <section>
          <Heading mb="sm">{w.title}</Heading>
          {may('runTestCase', 'SANDBOX') ? (
            <TextInput
              label={w.successUrl}
              description={w.successUrlHint}
              {...controlled(successUrl, setSuccessUrl)}
              type="url"
              maxLength={2_000}
              maw={480}
              mb="sm"
            />
          ) : null}
          {cases.data === undefined ? (
            <Pending query={cases} />
          ) : (
            <Paper component="ul" className="card-list" bg="transparent">
              {all.map((testCase) => (
                <Case
                  key={testCase.key}
                  testCase={testCase}
                  isBusy={run.isPending}
                  onRun={(key) => run.mutate([key])}
                />
              ))}
            </Paper>
          )}
        </section>
      </Stack>
    </>
  );
}

interface CaseProps {
  readonly testCase: TestCase;
  readonly isBusy: boolean;
  readonly onRun: (key: TestCaseKey) => void;
}

function Case({ testCase: { key, title, purpose, steps, expected }, isBusy, onRun }: CaseProps) {
  const { cases: w } = useTestingWords();
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-test-case={key}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={600}>{title}</Text>
          <Caption>{purpose}</Caption>
        </div>
        <RowButton
          action={['runTestCase', 'SANDBOX']}
          disabled={isBusy}
          onClick={() => onRun(key)}
          aria-label={`${w.run}: ${title}`}
        >
          {w.run}
        </RowButton>
      </Group>
      <details>
        <summary>
          {w.steps} · {w.expected}
        </summary>
        <Text size="sm" fw={600} mt="xs">
          {w.steps}
        </Text>
        <List type="ordered" size="sm">
          {steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        <Text size="sm" fw={600} mt="xs">
          {w.expected}
        </Text>
        <List size="sm">
          {expected.map((each) => (
            <List.Item key={each}>{each}</List.Item>
          ))}
        </List>
      </details>
    </Paper>
  );
}

function Runs({ cases }: { readonly cases: readonly TestCase[] }) {
  const { cases: w } = useTestingWords();
  const { t, count } = useWords();
  const runs = useOperation(['test-runs'], 'listTestRuns', {
    query: { limit: SHOWN_RUNS },
    refetchInterval: (query) => (query.state.data?.data.some(isUnderWay) ? POLL_RUNNING_MS : false),
  });
  const shown = runs.data?.data ?? [];
  const ended = shown.filter((run) => !isUnderWay(run)).length;
  const title = ({ id, testCase }: TestRun, isCard = false) => (
    <RowLink href={placeOf('SANDBOX', 'testing', 'cases', id)} isCard={isCard}>
      {cases.find(({ key }) => key === testCase)?.title ?? testCase}
    </RowLink>
  );
  return (
    <section>
      <Heading mb="sm">{w.runs}</Heading>
      {runs.data === undefined ? (
        <Pending query={runs} />
      ) : shown.length === 0 ? (
        <Message title={w.noRuns}>{w.noRunsText}</Message>
      ) : (
        <>
          {ended < shown.length ? (
            <>
              <Text size="sm" id="runs-progress">
                {w.done(count(ended), count(shown.length))}
              </Text>
              <progress aria-labelledby="runs-progress" value={ended} max={shown.length} className="wide" />
            </>
          ) : null}
          <TableOrCards
            items={shown}
            columns={[
              { title: w.testCase, cell: title },
              { title: t.fields.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
              { title: w.result, cell: (run) => <RunBadge run={run} /> },
            ]}
            card={(run) => (
              <Group justify="space-between" wrap="nowrap">
                {title(run, true)}
                <RunBadge run={run} />
              </Group>
            )}
          />
        </>
      )}
    </section>
  );
}

function isUnderWay({ status }: TestRun): boolean {
  return status !== 'ENDED';
}
