import { useOperation } from '../session/session-context';
import { useWords } from '../text/language';

/** Descriptions of all test cases in the language of the user. */
export function useTestCases() {
  const { language } = useWords();
  return useOperation(['test-cases', language], 'listTestCases', { query: { language }, staleTime: Infinity });
}
