import { List, Text } from '@mantine/core';
import type { ExceptionDetails } from '@pay/contracts';
import { Time } from '../parts/facts';
import { useWholeList } from '../parts/numbered-pages';
import { Section } from '../parts/section';
import { Caption } from '../parts/typography';
import { useUser } from '../session/session-context';
import { useWords } from '../text/language';

/** Decisions of reviewers, oldest first, with their reasons. */
export function ExceptionHistory({ item }: { readonly item: ExceptionDetails }) {
  const { t } = useWords();
  const user = useUser();
  const members = useWholeList(['users'], 'listUsers', { enabled: item.actions.length > 0 });
  if (item.actions.length === 0) return null;
  const nameOf = (id: string) =>
    id === user.id
      ? user.name
      : (members.data?.data.find((member) => member.id === id)?.name ?? t.payments.formerMember);
  return (
    <Section title={t.exceptions.history}>
      <List listStyleType="none" spacing="sm">
        {item.actions.map(({ id, action, by, note, at }) => (
          <List.Item key={id}>
            <Text fw={600}>
              {t.exceptions.actions[action]} · {nameOf(by)}
            </Text>
            <Text>{note}</Text>
            <Caption>
              <Time at={at} />
            </Caption>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
