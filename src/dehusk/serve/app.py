"""The application: what answers requests, from its start to its stop."""

from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from dehusk import __version__
from dehusk.reasons import Code
from dehusk.serve import page, problems, routes
from dehusk.serve.bodies import Bodies
from dehusk.serve.guard import Guard
from dehusk.serve.metrics import Metrics
from dehusk.serve.routes import Parts
from dehusk.serve.service import Service
from dehusk.serve.settings import ServerSettings

ABOUT = "Web pages in, main text out: every block scored, nothing lost."


def application(settings: ServerSettings) -> FastAPI:
    """Return an application; its workers start and stop with it."""
    service, metrics = Service(settings), Metrics()

    # Without FastAPI's own pages of documentation, which load scripts from elsewhere.
    app = FastAPI(
        title="dehusk", description=ABOUT, version=__version__, lifespan=service.running, docs_url=None, redoc_url=None,
        openapi_tags=[], separate_input_output_schemas=False,
    )  # fmt: skip
    app.state.parts = Parts(service, Bodies(settings), metrics)
    problems.install(app)
    app.include_router(routes.router)
    app.include_router(page.router(settings))
    if settings.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=settings.origins, allow_methods=["GET", "POST", "PUT"], allow_headers=["*"]
        )
    app.add_middleware(Guard, settings=settings, metrics=metrics)
    _document(app)
    return app


def _document(app: FastAPI) -> None:
    """Have the OpenAPI document describe problems, also where FastAPI describes errors of its own."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        document = make()
        schemas = document["components"]["schemas"]
        schemas["Problem"] = problems.Problem.model_json_schema()
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        for operations in document["paths"].values():
            for operation in operations.values():
                if "HTTPValidationError" in str(operation["responses"].get("422")):
                    operation["responses"]["422"] = problems.documented(Code.INVALID_REQUEST)[422]
        return document

    app.openapi = openapi  # type: ignore[method-assign]
