export { describeApi, documentText } from './describe-api';
export type { OpenApiDocument, OpenApiOperation, OpenApiResponse, JsonSchema } from './document';
