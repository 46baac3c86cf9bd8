import { Alert, Anchor, Group, Text } from '@mantine/core';
import type { Environment, ExceptionDetails } from '@pay/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Identifier } from '../parts/facts';
import { PageHead } from '../parts/page-head';
import { Pending } from '../parts/page-states';
import { Section } from '../parts/section';
import { Sentences } from '../parts/sentences';
import { Caption } from '../parts/typography';
import { WrongEnvironment } from '../parts/wrong-environment';
import { ToneBadge } from '../parts/tone-badge';
import { useMay, useOperation, useUser } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useReasonText } from '../sms/reasons';
import { useWords } from '../text/language';
import { CheckList } from '../parts/check-list';
import { Decide } from './decide';
import { explanationText } from '../text/explanation-text';
import { ExceptionHistory } from './exception-history';
import type { Outcome } from './possible-actions';
import { SideBySide } from './side-by-side';
import { useSuggestionText } from './suggestion-text';

const REFETCH_MS = 10_000;

/** One exception: the values of the SMS, those of the intent, the checks, and the possible decisions. */
export default function ExceptionPage({ environment, id }: { readonly environment: Environment; readonly id: string }) {
  const { t, language } = useWords();
  const suggestionText = useSuggestionText();
  const reasonText = useReasonText();
  const may = useMay();
  const user = useUser();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<{ readonly kind: Outcome; readonly number: number }>();
  const back = { to: placeOf(environment, 'exceptions'), text: t.exceptions.back };

  const query = useOperation(['exception', id], 'getException', { params: { id }, refetchInterval: REFETCH_MS });
  const intentId = query.data?.paymentIntentId ?? undefined;
  const intent = useOperation(['intent', intentId], 'getPayment', {
    params: { id: intentId ?? '' },
    enabled: intentId !== undefined,
  });

  if (query.data === undefined) return <Pending query={query} />;
  const item = query.data;
  if (item.environment !== environment)
    return <WrongEnvironment environment={item.environment} place={['exceptions', item.id]} />;

  const settle = (next: Outcome, changed?: ExceptionDetails) => {
    setOutcome((last) => ({ kind: next, number: (last?.number ?? 0) + 1 }));
    if (changed) queries.setQueryData(['exception', id], changed);
    void queries.invalidateQueries({ queryKey: ['exceptions'] });
    void queries.invalidateQueries({ queryKey: ['exception', id] });
    void queries.invalidateQueries({ queryKey: ['intent', intentId] });
  };
  const title = item.kind === null ? t.exceptions.closed : t.kinds[item.kind];

  return (
    <>
      <PageHead title={title} back={back}>
        <Group gap="xs">
          <ToneBadge tone={item.status === 'OPEN' ? 'warning' : 'neutral'}>
            {item.status === 'OPEN' ? t.exceptions.open : t.exceptions.closed}
          </ToneBadge>
          {item.assigneeId === null ? null : (
            <Text size="sm">{item.assigneeId === user.id ? t.exceptions.assigned : t.exceptions.assignedOther}</Text>
          )}
        </Group>
      </PageHead>
      {outcome === undefined ? null : (
        <OutcomeNotice key={outcome.number} environment={environment} id={id} kind={outcome.kind} />
      )}
      {item.dispute === null ? null : <Alert mb="md">{t.exceptions.dispute}</Alert>}
      {item.reason === 'disputed_trx_id' ? null : (
        <Alert mb="md" color={item.status === 'OPEN' ? 'orange' : 'gray'} data-testid="reason">
          {reasonText(item.reason)}
        </Alert>
      )}
      <SideBySide environment={environment} item={item} intent={intent} />
      <Section title={t.exceptions.sevenChecks} mb="md">
        <CheckList checks={item.checks} />
        {item.paidInTime === null ? null : (
          <Text mt="sm">{item.paidInTime ? t.exceptions.paidInTime : t.exceptions.paidLate}</Text>
        )}
      </Section>
      {item.explanations.length === 0 ? null : (
        <Sentences
          title={t.exceptions.doubts}
          sentences={item.explanations.map((each) => explanationText(each, language))}
        />
      )}
      {item.suggestions.length === 0 ? null : (
        <Sentences
          title={t.exceptions.suggestions}
          sentences={item.suggestions.map((each) => ({ text: suggestionText(each), language }))}
        />
      )}
      {may('resolveException') ? <Decide environment={environment} item={item} onOutcome={settle} /> : null}
      <ExceptionHistory item={item} />
      <Caption mt="md">
        {t.fields.smsId}: <Identifier text={item.smsEventId} name={t.fields.smsId} />
      </Caption>
    </>
  );
}

interface NoticeProps {
  readonly environment: Environment;
  readonly id: string;
  readonly kind: Outcome;
}

/** The result of an action. It takes the focus, because the button of the action may be gone. */
function OutcomeNotice({ environment, id, kind }: NoticeProps) {
  const { t } = useWords();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const next = useOperation(['exceptions', 'next', environment, id], 'listExceptions', {
    query: { environment, status: 'OPEN', order: 'oldest', limit: '2' },
    enabled: kind !== 'assigned',
  });
  const nextId = next.data?.data.find((item) => item.id !== id)?.id;
  const isConflict = kind === 'conflict';
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      color={isConflict ? 'orange' : 'green'}
      mb="md"
      role={isConflict ? 'alert' : 'status'}
      {...(isConflict ? { title: t.exceptions.conflictTitle } : {})}
    >
      <Text size="sm">
        {isConflict ? t.exceptions.conflictText : kind === 'assigned' ? t.exceptions.assigned : t.exceptions.done}
      </Text>
      {nextId === undefined ? null : (
        <Anchor
          component={Link}
          href={placeOf(environment, 'exceptions', nextId)}
          display="inline-block"
          mt="xs"
          c="inherit"
          td="underline"
        >
          {t.exceptions.next}
        </Anchor>
      )}
    </Alert>
  );
}
