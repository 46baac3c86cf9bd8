import { Button, Group, TextInput, type GroupProps, type TextInputProps } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { controlled } from './form';

interface SearchFormProps extends Omit<TextInputProps, 'form' | 'onSubmit'> {
  /** The text of the last search. */
  readonly text: string;
  readonly submitText: string;
  readonly onSearch: (text: string) => void;
  /** Tells the forms of a page apart. */
  readonly name?: string;
  readonly group?: GroupProps;
}

/** A field whose text is searched when it is submitted. */
export function SearchForm({ text, submitText, onSearch, name, group, ...field }: SearchFormProps) {
  const [searched, setSearched] = useState(text);
  const [wanted, setWanted] = useState(text);
  // The address can change without a submit, as by Back.
  if (searched !== text) {
    setSearched(text);
    setWanted(text);
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSearch(wanted.trim());
  };
  return (
    <form onSubmit={submit} role="search" aria-label={name}>
      <Group gap="xs" align="flex-end" wrap="nowrap" {...group}>
        <TextInput {...controlled(wanted, setWanted)} maxLength={255} autoComplete="off" {...field} />
        <Button type="submit">{submitText}</Button>
      </Group>
    </form>
  );
}
