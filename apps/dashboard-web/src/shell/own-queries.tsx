import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isTemporary } from '../api/api-failure';

const MOST_RETRIES = 2;
const FRESH_MS = 5_000;

const newQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < MOST_RETRIES && isTemporary(error),
      },
      // Without a network an action fails immediately instead of waiting, and the user repeats it.
      mutations: { retry: false, networkMode: 'always' },
    },
  });

/**
 * The queries of one user at one merchant; mounted with a key of both. Clearing shared queries would be too late,
 * because components of the next user read them before any effect runs.
 */
export function OwnQueries({ children }: { readonly children: ReactNode }) {
  const [queries] = useState(newQueries);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}
