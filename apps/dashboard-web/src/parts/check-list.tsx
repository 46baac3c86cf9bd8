import { Group, List, Text } from '@mantine/core';
import type { CheckName, Checks, CheckResult } from '@pay/contracts';
import { ToneBadge, type Tone } from './tone-badge';
import { useWords } from '../text/language';

const ORDER: readonly CheckName[] = ['reference', 'amount', 'environment', 'method', 'receiver', 'expiry', 'reuse'];
const TONES: Readonly<Record<CheckResult, Tone>> = { pass: 'good', fail: 'bad', not_applicable: 'neutral' };
const SIGNS: Readonly<Record<CheckResult, string>> = { pass: '✓', fail: '✗', not_applicable: '–' };

/** The seven checks in words, the failed ones first. */
export function CheckList({ checks }: { readonly checks: Checks | null }) {
  const { t } = useWords();
  if (checks === null) return <Text c="dimmed">{t.exceptions.noChecks}</Text>;
  const order = [...ORDER].sort((one, other) => Number(checks[other] === 'fail') - Number(checks[one] === 'fail'));
  return (
    <List listStyleType="none" spacing="xs">
      {order.map((name) => {
        const result = checks[name];
        return (
          <List.Item key={name} data-check={name} data-result={result}>
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <ToneBadge tone={TONES[result]}>
                <span aria-label={t.checkResults[result]} role="img">
                  {SIGNS[result]}
                </span>
              </ToneBadge>
              <Text {...(result === 'fail' ? { fw: 600 } : {})}>{t.checks[name][result]}</Text>
            </Group>
          </List.Item>
        );
      })}
    </List>
  );
}
