"""Options: what a request may ask for, in its query or in its JSON."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from dehusk import formats
from dehusk.formats import Look
from dehusk.models.registry import DEFAULT
from dehusk.serve.offered import FORMAT_NAMES, METHOD_NAMES
from dehusk.serve.work import Choice


def known(names: list[str]) -> AfterValidator:
    """Return the check of a string that must be one of these names."""

    def check(name: str) -> str:
        if name not in names:
            raise ValueError(f"expected one of {', '.join(names)}")
        return name

    return AfterValidator(check)


MethodName = Annotated[str, known(METHOD_NAMES), Field(json_schema_extra={"enum": METHOD_NAMES})]
FormatName = Annotated[str, known(FORMAT_NAMES), Field(json_schema_extra={"enum": FORMAT_NAMES})]


class RequestOptions(BaseModel):
    """What `dehusk extract` has as options; `docs/server.md` lists them."""

    model_config = ConfigDict(extra="forbid")

    method: MethodName = Field(default=DEFAULT, description="Method that scores the blocks: see /v1/methods")
    threshold: float | None = Field(
        default=None, ge=0, le=1, description="Keep blocks that score below it; by default 0.5"
    )
    favour: Literal["precision", "recall"] | None = Field(default=None, description="In place of a threshold")
    format: FormatName | None = Field(default=None, description="By default what `Accept` asks for, else JSON")
    beside: MethodName | None = Field(default=None, description="A second method to show side by side, in a report")
    comments: bool = Field(default=False, description="Also keep readers' comments")
    tables: bool = Field(default=True, description="Keep the text in tables of data")
    min_length: int = Field(
        default=0, ge=0, le=10**9, description="Treat pages with fewer characters of main text as empty"
    )
    headline: Literal["auto", "keep", "drop"] = Field(default="auto", description="Whether the headline is kept")
    explain: bool = Field(default=False, description="Return the facts that decided each block's score")
    links: bool = Field(default=False, description=f"Keep the targets of links ({formats.knowing('links')})")
    images: bool = Field(default=False, description=f"Keep images ({formats.knowing('images')})")
    formatting: bool = Field(default=True, description="Keep emphasis and other inline formatting")
    metadata: bool = Field(
        default=False, description=f"Begin with title, authors, date… as YAML ({formats.knowing('metadata')})"
    )
    nfc: bool = Field(default=False, description="Write the text in Unicode's composed form")

    def choice(self, format: str, *, every: bool) -> Choice:
        """Return what the workers do for these options; with `every`, or reasons, all blocks are written."""
        names = ("threshold", "favour", "comments", "tables", "min_length", "headline", "explain")
        chosen = tuple((name, getattr(self, name)) for name in names)
        look = Look(self.links, self.images, self.formatting, self.metadata, self.nfc)
        return Choice(self.method, chosen, formats.by_name(format).name, every or self.explain, look, self.beside)


class PageRequest(RequestOptions):
    """A page in JSON: its HTML, or the address that it is to be fetched from, and the options."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": ["html"]}, {"required": ["url"]}]})

    html: str | None = Field(default=None, description="The page")
    url: str | None = Field(
        default=None, max_length=10_000, description="Its address, to resolve links; without `html`, where to fetch it"
    )

    @model_validator(mode="after")
    def _has_page(self) -> Self:
        if self.html is None and self.url is None:
            raise ValueError("expected `html` or `url`")
        return self


def as_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a model as OpenAPI has it."""
    return model.model_json_schema(ref_template="#/components/schemas/{model}")


def in_words(errors: Any) -> str:
    """Return what is wrong with each part of a request.

    >>> in_words([{"loc": ("query", "threshold"), "msg": "Input should be less than or equal to 1"}])
    'threshold: Input should be less than or equal to 1'
    """
    # Of an error of our own, pydantic's message is "Value error, " and the error; `ctx` has the error alone.
    messages = (each["ctx"]["error"] if each.get("type") == "value_error" else each["msg"] for each in errors)
    fields = (".".join(str(part) for part in each["loc"] if part != "query") for each in errors)
    pairs = zip(fields, messages, strict=True)
    return "; ".join(f"{field}: {message}" if field else str(message) for field, message in pairs)
