import type { ExportFormat } from '#core/evaluation/breakdown-record.ts';

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'text/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** The headers of a file that is to be saved as `name` with the format's ending. */
export const attachment = (name: string, format: ExportFormat = 'jsonl') => ({
  'content-type': contentTypes[format],
  'content-disposition': `attachment; filename="${name}.${format}"`,
});
