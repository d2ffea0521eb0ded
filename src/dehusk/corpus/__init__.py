"""Corpora: from the files of a crawl to clean, scored and deduplicated documents, each traceable to its bytes.

`build` reads parts of the input in worker processes (`work`), each record going through the chain (`steps`); then it
finds duplicates among all of them (`duplicates`), and writes shards (`shards`, `writers`). Nothing is deleted unless
that is wanted: what a step rejects is marked with its reason.
"""
