import { useSearchParams } from 'wouter';

/** The filters of a list, which are part of the address. An empty value removes a filter. */
export function useFilters(): readonly [filters: URLSearchParams, choose: (name: string, value: string) => void] {
  const [filters, setFilters] = useSearchParams();
  const choose = (name: string, value: string) =>
    setFilters((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  return [filters, choose];
}

/** Those of these filters that have a value, for the query of a request. */
export function useGivenFilters(names: readonly string[]): Readonly<Record<string, string>> {
  const [filters] = useFilters();
  const values = names.map((name) => [name, filters.get(name) ?? ''] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}
