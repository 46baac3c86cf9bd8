import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useWords } from '../text/language';
import { optionsOf } from './form';
import { useFilters } from './use-filters';

interface SelectProps extends NativeSelectProps {
  /** Of the filter in the address. */
  readonly name: string;
  /** The text of each value. */
  readonly words: Readonly<Record<string, string>>;
}

/** One filter of a list. Its first option removes the filter. */
export function FilterSelect({ name, words, ...props }: SelectProps) {
  const { t } = useWords();
  const [filters, choose] = useFilters();
  return (
    <NativeSelect
      value={filters.get(name) ?? ''}
      onChange={(event) => choose(name, event.currentTarget.value)}
      data={[{ value: '', label: t.states.all }, ...optionsOf(words)]}
      {...props}
    />
  );
}
