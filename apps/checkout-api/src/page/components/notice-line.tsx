import type { PageModel } from '../page-model';

/** What came of the form that was sent last. */
export function NoticeLine({ notice, words }: Pick<PageModel, 'notice' | 'words'>) {
  if (notice === undefined) return null;
  return (
    <p class="notice" role="alert">
      {words.notices[notice]}
    </p>
  );
}
