import { List } from '@mantine/core';
import type { Language } from '../text/format';
import { Section } from './section';

interface SentencesProps {
  readonly title: string;
  readonly sentences: readonly { readonly text: string; readonly language: Language }[];
}

/** Sentences under a heading, each in its language. */
export function Sentences({ title, sentences }: SentencesProps) {
  return (
    <Section title={title} mb="md">
      <List>
        {sentences.map(({ text, language }) => (
          <List.Item key={text} lang={language}>
            {text}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
