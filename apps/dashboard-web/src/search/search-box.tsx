import { TextInput } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { useState, type SubmitEvent } from 'react';
import { useLocation } from 'wouter';
import { controlled } from '../parts/form';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';

/** Opens the search results; available on every page. */
export function SearchBox({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === '') return;
    go(`${placeOf(environment, 'search')}?${new URLSearchParams({ text: wanted }).toString()}`);
    setText('');
  };
  return (
    <form onSubmit={submit} role="search" aria-label={t.search.label}>
      <TextInput
        type="search"
        name="find-payment"
        aria-label={t.search.label}
        placeholder={t.search.label}
        {...controlled(text, setText)}
        maxLength={255}
        autoComplete="off"
        enterKeyHint="search"
        mb="xs"
      />
    </form>
  );
}
