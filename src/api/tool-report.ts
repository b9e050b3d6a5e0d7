/** What a report on tools is, for the API's documents. */
export const toolReportDescription =
  'For each tool of the catalog, used or not: the calls and how many succeeded, the attempts that should have called it and did not, its most frequent error, and which tools were called in the place of which. Findings say what stands out, in the attempts and in the definitions of the tools. Attempts that a fault ended are left out. Shares have a 95% interval that takes units as the sample.';
