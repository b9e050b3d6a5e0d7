import type { ExportFormat } from '#core/evaluation/breakdown-record.ts';

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'text/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** Returns the headers of a file to be saved as `name` with the format's extension. */
export const attachmentHeaders = (name: string, format: ExportFormat = 'jsonl') => ({
  'content-type': contentTypes[format],
  'content-disposition': `attachment; filename="${name}.${format}"`,
});
