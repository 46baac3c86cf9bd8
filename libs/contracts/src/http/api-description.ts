/** The files that the reference page at `/v1/docs` loads. */
export const REFERENCE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'reference.js', 'favicon-32x32.png'] as const;
export type ReferenceFile = (typeof REFERENCE_FILES)[number];
