import type { PageModel } from '../page-model';

type NoticeLineModel = Pick<PageModel, 'notice' | 'words'> & {
  /** An error is about the fields below or above it, a notice is only information. */
  readonly tone?: 'notice' | 'error';
};

/** What came of the form that was sent last. */
export function NoticeLine({ notice, words, tone = 'notice' }: NoticeLineModel) {
  if (notice === undefined) return null;
  return (
    <p class={tone} role="alert">
      {words.notices[notice]}
    </p>
  );
}
